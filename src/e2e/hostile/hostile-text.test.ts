import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { oneLine } from '../../text/one-line.js';
import { type CommandOutcome, mcpBench } from '../fixtures/command.fixture.js';
import { serveSurvey, type SurveyScript } from '../fixtures/survey-server.js';
import { runReportKinds } from '../../cli/reports/run-reports.js';

// Starting a process takes seconds where the machine is busy.
vi.setConfig({ testTimeout: 180_000 });

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-text-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const evil =
  'so\r\n::error title=x::owned\n##[error]owned ##vso[task.setvariable variable=a]owned\u001b[2J\u009b31m\u202e\u2028\u0000 end';

const tool = (name: string) => ({
  name,
  description: `does ${evil}`,
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: {} },
});

/** What a server says, and where; a new attack is one more line. */
const attacks: Record<string, SurveyScript> = {
  'in the refusal of initialize': {
    respond: ({ method }) => (method === 'initialize' ? { error: { code: 1, message: evil } } : undefined),
  },
  'in its name and version': { serverInfo: { name: evil, version: evil } },
  'in the names of its tools': { tools: [tool(`a ${evil}`), tool('echo')] },
  'in the errors of its tools': {
    respond: ({ method }) =>
      method === 'tools/call' || method === 'ping'
        ? { result: { isError: true, content: [{ type: 'text', text: evil }] } }
        : undefined,
  },
  'in the content type of its stream': {
    stream: () =>
      'HTTP/1.1 200 OK\r\nContent-Type: text/::error::\u009b2J\u00e9\r\nContent-Length: 0\r\n\r\n',
  },
  'in its endpoint': {
    stream: () =>
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\ndata: /m \u001b[2J##[error] ##teamcity[x]\u202e\n\n',
  },
};

const commands: Record<string, (url: string) => readonly string[]> = {
  run: (url) => [
    ...'run call.yaml --out result.json --target'.split(' '),
    url,
    ...runReportKinds.flatMap((kind) => ['--report', `${kind}=report.${kind}`]),
  ],
  probe: (url) => ['probe', url, '--listen', '0s', '--calls', '2', '--timeout', '2s'],
  'probe --json': (url) => ['probe', url, '--listen', '0s', '--calls', '2', '--timeout', '2s', '--json'],
  init: (url) => ['init', url, '--out', 'drafted.yaml', '--timeout', '2s'],
  'init --out -': (url) => ['init', url, '--out', '-', '--timeout', '2s'],
  ceiling: (url) => ['ceiling', url, '--duration', '100ms', '--connections', '2', '--timeout', '2s'],
  versus: () => [
    ...'versus targets.yaml call.yaml --rounds 1 --out versus.json'.split(' '),
    ...'--report html=versus.html --report md=versus.md'.split(' '),
  ],
};

const call = `sessions: 1
load: { model: count, calls: 4 }
calls: [{ tool: echo }]
timeouts: { connect: 2s, handshake: 2s, call: 2s }
workers: 1
`;

// Of a log what a fence stops is text; our own commands are known by their titles.
function commandsIn({ stdout, stderr }: CommandOutcome): string[] {
  const unfenced = stdout.replace(/^::stop-commands::(\w+)\n.*?^::\1::\n/gms, '');
  return `${unfenced}\n${stderr}`
    .split('\n')
    .filter((line) => /^\s*::/.test(line) && !/^::(error|warning|notice) title=mcp-bench /.test(line));
}

// GitHub's older form, Azure's and TeamCity's are found wherever they stand in a line, and know no fence.
function otherCommandsIn({ stdout, stderr }: CommandOutcome): string[] {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => /##\w*\[/.test(line) && !/^::(error|warning|notice) title=mcp-bench /.test(line));
}

function unprintable(text: string): string[] {
  return text.split('\n').filter((line) => oneLine(line) !== line.replace(/\t/g, ' ').trim());
}

describe.each(Object.entries(attacks))('%s', (name, script) => {
  test.each(Object.entries(commands))('%s prints lines that are its own', async (command, argumentsFor) => {
    const cwd = mkdtempSync(join(folder, 'x-'));
    const server = await serveSurvey(script);
    const url = `${server.origin}/sse`;
    writeFileSync(join(cwd, 'call.yaml'), call);
    writeFileSync(join(cwd, 'targets.yaml'), `targets:\n  - { name: it, url: '${url}', ready: 2s }\n`);
    const outcome = await mcpBench(argumentsFor(url), { cwd, env: { GITHUB_ACTIONS: 'true' } });
    await server.close();
    expect(outcome.code, outcome.stderr).toBeLessThan(130);
    expect(outcome.stderr).not.toMatch(/ {4}at /);
    expect(commandsIn(outcome), `${name}: ${command}`).toEqual([]);
    expect(otherCommandsIn(outcome), `${name}: ${command}`).toEqual([]);
    const written = readdirSync(cwd).filter((file) => file !== 'call.yaml' && file !== 'targets.yaml');
    expect(unprintable(outcome.stdout)).toEqual([]);
    expect(unprintable(outcome.stderr)).toEqual([]);
    for (const file of written) {
      // In Markdown a space of no width keeps nobody mentioned.
      const text = readFileSync(join(cwd, file), 'utf8').replace(/(?<=[@#])\u200b/g, '');
      expect(unprintable(text), file).toEqual([]);
    }
  });
});
