import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/failure.js';
import { loadConfig, parseSetting } from './load-config.js';
import { serveMock } from '../serve-mock.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const file = (text: string): string => {
  const path = join(folder, 'mock.yaml');
  writeFileSync(path, text);
  return path;
};

describe('the configuration file', () => {
  test('knows everything', () => {
    const config = loadConfig(
      file(`
dialect: pymcp
seed: 9
latency: bimodal(5ms,100ms,10%)
faults:
  lost: 1%
  httpError: { rate: 2%, status: 500 }
tools:
  search: { description: Finds things, arguments: { q: string, limit: integer? }, result: { hits: [1, 2] }, latency: 20ms, faults: { toolError: 5% } }
  big: { resultBytes: 64KB }
  broken: { fails: always }
  echo: { latency: 'normal(5ms,1ms)', work: 1000 }
wire: { lineEnding: crlf, keepAlive: 15s }
freeze: { at: 5s, for: 1s }
limits: { bodyBytes: 1MiB, sessions: 10, unreadBytes: 64KB }
pushes: { every: 1s }
`),
      [],
    );
    expect(config).toMatchObject({
      dialect: 'pymcp',
      faults: { lost: { rate: 0.01 }, httpError: { rate: 0.02, status: 500 } },
      tools: {
        search: { latency: '20ms', faults: { toolError: { rate: 0.05 } } },
        big: { resultBytes: 64_000 },
        echo: { work: 1000 },
      },
      wire: { lineEnding: 'crlf', keepAlive: 15e9 },
      freeze: { at: 5e9, every: 0, for: 1e9 },
      limits: { bodyBytes: 1_048_576, sessions: 10, connections: 1_000_000 },
    });
  });

  test.each([
    [
      'faults:\n  lost: 1%\n  lots: 2%\n',
      /mock.yaml:3: faults: unknown key 'lots'; expected one of rpcError, .*slowRead$/,
    ],
    ['seed: 1\n\nspeed: fast\n', /mock.yaml:3: unknown key 'speed'; expected one of dialect, like, seed/],
    [
      'tools:\n  a:\n    latency: soon\n',
      /mock.yaml:3: tools.a.latency: 'soon' is not understood; expected 5ms, uniform/,
    ],
    [
      'tools:\n  a:\n    faults:\n      lost: often\n',
      /mock.yaml:4: tools.a.faults.lost.rate: 'often' is not understood; expected a share/,
    ],
    ['tools:\n  a:\n    faults: { slowRead: 1% }\n', /mock.yaml:3: tools.a.faults: unknown key 'slowRead'/],
    [
      'tools:\n  a: { arguments: { q: strng } }\n',
      /mock.yaml:2: tools.a.arguments.q: 'strng' is not understood; expected one of string/,
    ],
    [
      'tools:\n  a: { result: 1, fails: x }\n',
      /mock.yaml:2: tools.a: give one of result, resultBytes and fails, not several/,
    ],
    [
      'dialect: klassik\n',
      /mock.yaml:1: dialect: 'klassik' is not understood; expected one of classic, rmcp/,
    ],
    ['limits:\n  sessions: many\n', /mock.yaml:2: limits.sessions: expected number, got 'many'/],
    ['limits:\n  sessions: 0\n', /mock.yaml:2: limits.sessions: Too small/],
    ['latency: 5\n', /mock.yaml:1: latency: expected 5ms, uniform/],
    ['freeze:\n  at: 5s\n', /mock.yaml:1: freeze.for: expected a duration/],
    ['seed: 1\nseed: 2\n', /mock.yaml:2: Map keys must be unique/],
    ['a: [1\nb: 2\n', /mock.yaml:2: /],
    ['- 1\n', /mock.yaml:1: expected a mapping/],
    ['dialect: all\nlike: rmcp\n', /mock.yaml:2: like: rmcp speaks one dialect/],
  ])('says where %j is wrong and what was expected', (text, message) => {
    const path = file(text);
    expect(() => loadConfig(path, [])).toThrow(message);
    expect(() => loadConfig(path, [])).toThrow(Failure);
  });

  test('that cannot be read is one clear line', () => {
    expect(() => loadConfig(join(folder, 'none.yaml'), [])).toThrow(
      /cannot read the configuration .*none.yaml: ENOENT/,
    );
  });

  test('goes over what lies under it: both have tools, and the flags change either', () => {
    const base = { seed: 5, latency: '1ms', tools: { one: { result: 1 }, both: { result: 'base' } } };
    const overrides = [{ path: ['tools', 'one', 'result'], value: 2, flag: '--set tools.one.result=2' }];
    const config = loadConfig(file('latency: 2ms\ntools:\n  both: { result: file }\n'), overrides, base);
    expect(config).toMatchObject({ seed: 5, latency: '2ms' });
    expect(config.tools).toMatchObject({ one: { result: 2 }, both: { result: 'file' } });
    expect(base.tools.one.result).toBe(1);
  });

  test('an empty file is no configuration at all', () => {
    expect(loadConfig(file(''), []).seed).toBe(1);
  });

  test('latency files lie beside it', () => {
    writeFileSync(join(folder, 'delays.txt'), '10ms\n');
    const config = loadConfig(file('latency: file(delays.txt)\n'), []);
    expect(config.latency).toBe(`file(${join(folder, 'delays.txt')})`);
  });
});

describe('settings of the command line', () => {
  const set = (...texts: string[]) =>
    loadConfig(
      undefined,
      texts.map((text) => parseSetting(text, '--set')),
    );

  test('reach every key and are laid over the file', () => {
    const path = file('seed: 3\nwire: { lineEnding: cr, eventIds: true }\n');
    const config = loadConfig(path, [
      parseSetting('wire.lineEnding=crlf', '--set'),
      parseSetting('tools.a\\.b.latency=5ms', '--set'),
    ]);
    expect(config).toMatchObject({
      seed: 3,
      wire: { lineEnding: 'crlf', eventIds: true },
      tools: { 'a.b': { latency: '5ms' } },
    });
    expect(set('faults.heldPost={ rate: 5%, for: 2s }').faults.heldPost).toEqual({ rate: 0.05, for: 2e9 });
    expect(set('wire.keepAliveAs=[comment, ping-event]').wire.keepAliveAs).toEqual(['comment', 'ping-event']);
  });

  test.each([
    [
      'wire.lineEnding=xx',
      /^--set wire.lineEnding=xx: wire.lineEnding: 'xx' is not understood; expected one of lf, crlf, cr, mixed, mixed-endpoint$/,
    ],
    ['faults.lots=1%', /^--set faults.lots=1%: faults: unknown key 'lots'/],
    ['seed=-1', /^--set seed=-1: seed: Too small/],
    ['seed', /^--set seed: expected path=value/],
    ['seed=[1', /^--set seed=\[1: the value is not understood/],
    ['seed.x=1', /^--set seed.x=1: seed: expected number/],
  ])('are named where %j is wrong', (text, message) => expect(() => set(text)).toThrow(message));
});

test('serveMock checks what it is given', async () => {
  await expect(serveMock({ latency: 'soon' })).rejects.toThrow(
    /^serveMock: latency: 'soon' is not understood/,
  );
  await expect(serveMock({ port: 70_000 })).rejects.toThrow(/--port 70000: expected a port/);
  await expect(serveMock({ threads: 2, engine: 'node' })).rejects.toThrow(/--threads 2 needs the uws engine/);
  await expect(serveMock({ threads: 2, freeze: { at: '1s', for: '1s' } })).rejects.toThrow(
    /freeze works on one thread only/,
  );
  await expect(serveMock({ log: '/no/such/folder/log' })).rejects.toThrow(/cannot write the log/);
});

test.each(['uws', 'node'] as const)(
  'a port in use is one clear line on %s, whoever uses it',
  async (engine) => {
    for (const first of ['uws', 'node'] as const) {
      const mock = await serveMock({ engine: first });
      await expect(serveMock({ engine, port: mock.port })).rejects.toThrow(
        new RegExp(`^cannot listen on 127.0.0.1:${mock.port}: the port is in use`),
      );
      await mock.close();
    }
  },
);
