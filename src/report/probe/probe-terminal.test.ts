import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { ProbeReport } from '../../probe/probe-report.js';
import { displayWidth } from '../formats/display-width.js';
import { probeTerminal } from './probe-terminal.js';

const tool = { description: '', inputSchema: {}, annotations: null, risk: 'unmarked', unfit: null } as const;

const report: ProbeReport = {
  schema: 'mcp-bench/probe@1',
  url: 'http://127.0.0.1:3000/sse',
  at: '2026-11-18T07:03:12.000Z',
  transport: 'sse',
  era: 'sessions',
  replies: null,
  dialect: { name: 'rmcp', exact: false, differences: ['endpoint: absolute, not relative'] },
  server: { name: 'notes\u001b[2J', version: '1.2.3' },
  protocolVersion: { asked: '2025-06-18', answered: '2025-03-26' },
  capabilities: { tools: { listChanged: true }, logging: {} },
  instructions: 'Be brief.\nAnd quick.',
  tools: {
    from: 'tools/list',
    problem: 'the list has more than 100 pages',
    tools: [
      {
        ...tool,
        name: 'read',
        description: 'Reads notes, as many as it is asked for, and some more where it feels like it, really.',
        inputSchema: {
          properties: { limit: { type: 'integer' }, kind: { enum: ['a', 'b'] } },
          required: ['limit'],
        },
        annotations: { readOnlyHint: true },
        risk: 'none',
      },
      { ...tool, name: 'wipe', risk: 'destructive', annotations: { destructiveHint: true } },
      { ...tool, name: 'send_mail', risk: 'by-name' },
      { ...tool, name: 'endless', unfit: 'its arguments would have more than 5,000 values' },
    ],
    leftOut: [{ tool: '#7', reason: 'it has\u001b no name' }],
  },
  handshake: {
    connectNs: 3e5,
    headersNs: 1e6,
    endpointNs: 1.1e6,
    discoverNs: null,
    initializeNs: 2e6,
    initializedNs: 5e5,
    totalNs: 5e6,
  },
  calls: {
    tool: 'read',
    arguments: { limit: 5 },
    why: 'says that it only reads',
    samples: [
      { responseNs: 1e6, ackNs: 4e5, ackToEventNs: 6e5, failure: null },
      { responseNs: 3e6, ackNs: 4e6, ackToEventNs: -1e6, failure: null },
      { responseNs: 2e6, ackNs: 1e6, ackToEventNs: 1e6, failure: 'the tool failed: no' },
    ],
    eventBefore202: 1,
    passedOver: [{ tool: 'other', failure: 'error -32602 bad' }],
  },
  stream: {
    contentType: 'text/event-stream',
    endpoint: 'http://127.0.0.1:3000/message?sessionId=1',
    lineEndings: { lf: 3, crlf: 2, cr: 0 },
    spaceAfterColon: 'sometimes',
    eventIds: true,
    retryMs: 500,
    firstBytes: '',
  },
  posts: {
    accepted: [{ status: 202, body: 'Accepted', framing: 'chunked', count: 12 }],
    connections: 1,
    reused: 11,
    closedByServer: 0,
    keepAliveHeader: 'timeout=5',
  },
  keepAlive: {
    listenedMs: 31_000,
    seen: [{ kind: 'comment', count: 2, example: ': ping - x', everyMs: 15_000 }],
  },
  departures: [
    {
      code: 'ping',
      weight: 'must',
      rule: 'ping is answered with an empty result (ping)',
      found: 'error -32601',
      ofDialect: false,
    },
    {
      code: 'post-status',
      weight: 'custom',
      rule: 'a POST that is taken is answered 202',
      found: '200',
      ofDialect: false,
    },
    {
      code: 'endpoint-unnamed',
      weight: 'must',
      rule: 'the first event is `endpoint`',
      found: 'no name',
      ofDialect: true,
    },
  ],
  notes: ['sends notifications/message before initialize is answered'],
};

const bare: ProbeReport = {
  ...report,
  transport: 'streamable',
  era: 'stateless',
  dialect: null,
  server: null,
  capabilities: null,
  instructions: null,
  tools: { tools: [], leftOut: [], from: null, problem: 'error -32601' },
  handshake: null,
  calls: {
    tool: null,
    arguments: {},
    why: 'no tool is safe to call unasked',
    samples: [],
    eventBefore202: 0,
    passedOver: [],
  },
  stream: null,
  posts: null,
  keepAlive: null,
  departures: [],
};

test.each(Object.entries({ full: report, bare }))('%s looks as it did', async (name, each) => {
  const text = probeTerminal(each, { colour: false, width: 80 });
  await expect(text).toMatchFileSnapshot(`./golden/probe-${name}.txt`);
});

test.each([60, 80, 120])('keeps to %i columns, and colours change nothing', (width) => {
  const plain = probeTerminal(report, { colour: false, width });
  expect(plain.split('\n').filter((line) => displayWidth(line) > width)).toEqual([]);
  expect(plain).not.toContain('\u001b');
  expect(stripVTControlCharacters(probeTerminal(report, { colour: true, width }))).toBe(plain);
});
