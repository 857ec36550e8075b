import { describe, expect, onTestFinished, test } from 'vitest';
import { planScenario } from '../../scenario/load-scenario.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { plainScenario, type Played, runChecked } from '../fixtures/play.js';
import { type Official, type OfficialOptions, serveOfficial } from './sdk-server.js';

async function against(
  options: OfficialOptions,
  scenario: Partial<ScenarioInput> = {},
  target: object = {},
): Promise<Played & { server: Official }> {
  const server = await serveOfficial(options);
  onTestFinished(() => server.close());
  const { load, ...plain } = plainScenario;
  const plan = planScenario({
    ...plain,
    ...(scenario.phases === undefined ? { load } : {}),
    ...scenario,
    target: { url: server.url, transport: 'streamable', protocol: '2025-11-25', ...target },
  });
  return { ...(await runChecked(plan)), server };
}

describe.each([
  ['events', {}],
  ['JSON', { json: true }],
] as const)('the official SDK with %s', (_, options) => {
  test('makes a whole session: initialize, calls, DELETE', async () => {
    const { counts, sessions, result, server } = await against(options);
    expect(counts).toEqual({ ok: 10 });
    expect(sessions).toMatchObject({ opened: 1, ready: 1, closed: 1 });
    expect(result.totals.replies).toMatchObject({ deleted: 1, left: 0, deleteRefused: 0 });
    expect(server.sessions.size).toBe(0);
    expect(server.requests).toEqual([
      'POST initialize',
      'POST notifications/initialized',
      ...Array.from({ length: 10 }, () => 'POST tools/call'),
      'DELETE',
    ]);
    expect(result.target).toMatchObject({
      transport: 'streamable',
      era: 'sessions',
      protocolVersion: '2025-11-25',
      server: { name: 'official', version: '1' },
    });
  });

  test('four in flight take four connections, of which each is free again with its reply', async () => {
    const { counts, result } = await against(options, {
      sessions: 3,
      load: { model: 'count', calls: 300, inFlight: 4 },
    });
    expect(counts).toEqual({ ok: 300 });
    expect(result.totals.oddities.extraConnection).toBeLessThanOrEqual(3 * 4);
  });

  test('churn: each session is ended by DELETE, and what is abandoned is left', async () => {
    const churn = await against(options, {
      sessions: { count: 2, lifetime: '5 calls' },
      load: { model: 'count', calls: 40 },
    });
    expect(churn.counts).toEqual({ ok: 40 });
    const { deleted, left } = churn.result.totals.replies!;
    // One that was still in its handshake at the end is told, too, if its id is known.
    const { opened, ready, closed } = churn.result.sessions;
    expect(deleted - closed).toBeGreaterThanOrEqual(0);
    expect(deleted - closed + churn.server.sessions.size).toBeLessThanOrEqual(opened - ready);
    expect(left).toBe(0);
    const abandoned = await against(options, {
      sessions: { count: 2, lifetime: '5 calls', end: 'abandon' },
      load: { model: 'count', calls: 40 },
    });
    expect(abandoned.result.totals.replies!.left).toBe(abandoned.result.sessions.abandoned);
    // Of one that was still in its handshake at the end, nobody may have learnt the id.
    const unready = abandoned.result.sessions.opened - abandoned.result.sessions.ready;
    const kept = abandoned.server.sessions.size - abandoned.result.sessions.abandoned;
    expect(kept).toBeGreaterThanOrEqual(0);
    expect(kept).toBeLessThanOrEqual(unready);
  });

  test('open loops, bursts and idle sessions work as over HTTP+SSE', async () => {
    const { counts, result } = await against(options, {
      sessions: { count: 6, idle: 2 },
      phases: [
        { name: 'rate', duration: '300ms', load: { model: 'rate', perSecond: 100 } },
        { name: 'burst', duration: '300ms', load: { model: 'burst', calls: 3, every: '100ms' } },
      ],
    });
    expect(counts).toEqual({ ok: result.totals.started });
    expect(result.phases.map(({ totals }) => totals.started)).toEqual([30, 36]);
  });

  test('shared connections carry all sessions', async () => {
    const { counts, server } = await against(options, {
      sessions: 5,
      posts: { mode: 'shared', connections: 2 },
      load: { model: 'count', calls: 50 },
    });
    expect(counts).toEqual({ ok: 50 });
    expect(server.sessions.size).toBe(0);
  });

  test('a session that the server has forgotten: the call fails, one new session, nothing is sent twice', async () => {
    const server = await serveOfficial(options);
    onTestFinished(() => server.close());
    const plan = planScenario({
      ...plainScenario,
      load: { model: 'count', calls: 20 },
      target: { url: server.url, transport: 'streamable', protocol: '2025-11-25' },
    });
    const { counts, sessions, result } = await runChecked(plan, {
      onStarted: () => server.sessions.clear(),
    });
    expect(counts).toEqual({ ok: 19, 'httpError:404': 1, sessionLost: 1, reconnect: 1 });
    expect(sessions).toMatchObject({ opened: 2, ready: 2, dropped: 1, reconnects: 1, closed: 1 });
    expect(server.requests.filter((line) => line === 'POST tools/call')).toHaveLength(20);
    // What it has forgotten it was not left with.
    expect(result.totals.replies).toMatchObject({ deleted: 1, left: 0 });
  });

  test('RPC errors and failed tools are outcomes, not refusals', async () => {
    const { counts } = await against(options, {
      load: { model: 'count', calls: 30 },
      calls: [{ tool: 'nobody' }, { tool: 'fail' }, { method: 'nothing/such' }],
    });
    const { toolError = 0, 'rpcError:-32602': params = 0, 'rpcError:-32601': method = 0 } = counts;
    // The SDK answers an unknown tool as a tool that failed.
    expect(toolError + params + method).toBe(30);
    expect(method).toBeGreaterThan(0);
  });
});

test('without sessions there is no id, no DELETE, and nothing to lose', async () => {
  const { counts, result, server } = await against({ sessions: false }, { sessions: 2 });
  expect(counts).toEqual({ ok: 10 });
  expect(result.totals.replies).toMatchObject({ deleted: 0, left: 0 });
  expect(server.requests).not.toContain('DELETE');
});

test('what is timed: acceptance, first event and release of events; of JSON neither', async () => {
  const events = await against({});
  expect(Object.keys(events.result.metrics).filter((name) => !name.includes('{'))).toEqual(
    expect.arrayContaining([
      'call.ack',
      'call.ackToEvent',
      'call.firstEvent',
      'call.release',
      'handshake.connect',
      'handshake.initialize',
      'handshake.initialized',
      'handshake.total',
    ]),
  );
  expect(events.result.metrics['call.release']!.count).toBe(10);
  expect(events.result.target.bodies).toEqual(['sse']);
  const json = await against({ json: true });
  const names = Object.keys(json.result.metrics);
  expect(names).toContain('call.ack');
  for (const name of ['call.ackToEvent', 'call.eventToAck', 'call.firstEvent', 'call.release'])
    expect(names).not.toContain(name);
  expect(json.result.target.bodies).toEqual(['json']);
});

test('a request of the server within a reply is answered by a POST of its own', async () => {
  const { counts, server } = await against({}, { calls: [{ tool: 'ask' }] });
  expect(counts).toEqual({ ok: 10, 'serverRequest:ping': 10, 'notification:notifications/message': 10 });
  expect(server.requests.filter((line) => line === 'POST response')).toHaveLength(10);
});

test('every request after initialize says its session, and which revision was agreed on', async () => {
  const { server } = await against({}, {}, { protocol: '2025-06-18' });
  const [first, ...rest] = server.headers;
  expect(first!['mcp-session-id']).toBeUndefined();
  expect(first!['mcp-protocol-version']).toBeUndefined();
  for (const headers of rest) {
    expect(headers['mcp-session-id']).toBe(rest[0]!['mcp-session-id']);
    expect(headers['mcp-protocol-version']).toBe('2025-06-18');
  }
  const old = await against({}, {}, { protocol: '2025-03-26' });
  for (const headers of old.server.headers) expect(headers['mcp-protocol-version']).toBeUndefined();
});

test('a stream for the server’s own messages is opened where it is asked for', async () => {
  const { counts, server, result } = await against({}, { sessions: 3 }, { listen: true });
  expect(counts).toEqual({ ok: 10 });
  expect(server.requests.filter((line) => line === 'GET')).toHaveLength(3);
  expect(result.metrics['handshake.listen']!.count).toBe(3);
});
