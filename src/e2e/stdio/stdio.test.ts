import { describe, expect, test } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { callMetricsOf, transportKinds } from '../../transport/transport-kinds.js';
import { playStdio } from './play-stdio.js';

const pipesBut = (more: object): object => ({
  otherLines: 0,
  stderrBytes: 0,
  died: 0,
  survivedEof: 0,
  killed: 0,
  leftOthers: 0,
  ...more,
});

test('every call is answered, counted and timed, and nothing is left', async () => {
  const { result, counts, sessions } = await playStdio([], {
    sessions: 3,
    load: { model: 'count', calls: 300, inFlight: 4 },
  });
  expect(counts).toEqual({ ok: 300 });
  expect(sessions).toEqual({ opened: 3, ready: 3, closed: 3, peakReady: 3 });
  expect(result.target).toMatchObject({ transport: 'stdio', server: { name: 'scripted', version: '1' } });
  expect(result.totals.pipes).toEqual(pipesBut({}));
  for (const name of ['spawn', 'initialize', 'initialized', 'total'])
    expect(result.metrics[`handshake.${name}`]!.count, name).toBe(3);
  const timed = Object.keys(result.metrics).filter((name) => /^(call|queue|schedule)\.\w+$/.test(name));
  expect(timed.toSorted()).toEqual(
    callMetricsOf(transportKinds.stdio)
      .filter((name) => name !== 'failed.response')
      .toSorted(),
  );
});

describe('what a server writes', () => {
  test('lines with CRLF, and messages before it is asked', async () => {
    const { counts, result } = await playStdio(['crlf', 'early']);
    expect(counts).toEqual({ ok: 10, 'notification:notifications/message': 1 });
    expect(result.totals.pipes).toEqual(pipesBut({ otherLines: 1 }));
    expect(result.examples['standard output']).toBe('starting up…');
    expect(result.findings.map(({ code }) => code)).toContain('stdout-polluted');
  });

  test('logs between its answers', async () => {
    const { counts, result } = await playStdio(['chatty']);
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.pipes).toEqual(pipesBut({ otherLines: 10 }));
    expect(result.examples['standard output']).toBe('log: call 1');
  });

  test('a flood on standard error, which would stop it if nobody read it', async () => {
    const { counts, result } = await playStdio(['floods']);
    expect(counts).toEqual({ ok: 10 });
    expect(result.totals.pipes).toEqual(pipesBut({ stderrBytes: 20_000 * 'a line of a log\n'.length }));
  });

  test('lines of 10 MB', async () => {
    const { counts } = await playStdio([`size=${10 * 1024 * 1024}`], {
      load: { model: 'count', calls: 3, inFlight: 1 },
      calls: [{ tool: 'echo', arguments: {} }],
    });
    expect(counts).toEqual({ ok: 3 });
  });

  test('a line longer than the limit ends its session, and no other', async () => {
    const { counts, sessions, result } = await playStdio([`size=${17 * 1024 * 1024}`], {
      load: { model: 'count', calls: 1, inFlight: 1 },
      calls: [{ tool: 'echo', arguments: {} }],
      sessions: { count: 1, reconnect: false },
    });
    expect(counts).toEqual({ disconnected: 1 });
    expect(sessions).toMatchObject({ ready: 1, dropped: 1 });
    expect(result.examples['session dropped']).toContain('a line is larger than 16777216 bytes');
  });

  test('requests of its own, which are answered', async () => {
    const { counts } = await playStdio(['asks']);
    expect(counts).toEqual({ ok: 10, 'serverRequest:ping': 1 });
  });
});

describe('a process that dies', () => {
  test('before the handshake: with its last words', async () => {
    const { sessions, result } = await playStdio(['dies-first'], {
      sessions: { count: 1, reconnect: false },
    });
    expect(sessions).toEqual({ opened: 1, failed: 1, 'failed:exited': 1 });
    expect(result.examples['session exited']).toBe(
      'its process ended: exit code 3 (it said: no configuration | giving up)',
    );
    expect(result.totals.pipes).toMatchObject({ died: 1, survivedEof: 0 });
  });

  test('in the middle of the handshake', async () => {
    const { sessions } = await playStdio(['dies-in-handshake'], { sessions: { count: 1, reconnect: false } });
    expect(sessions).toEqual({ opened: 1, failed: 1, 'failed:exited': 1 });
  });

  test('with calls in flight, of which one is its end', async () => {
    const { counts, sessions, result } = await playStdio(['dies-at=5'], {
      load: { model: 'count', calls: 8, inFlight: 2 },
    });
    expect(counts['disconnected']).toBeGreaterThanOrEqual(1);
    expect(sessions['dropped']).toBe(sessions['reconnects']);
    expect(result.totals.started).toBe(8);
    expect(result.examples['session dropped']).toContain('its process ended: exit code 1');
  });

  test('of a signal', async () => {
    const { result } = await playStdio(['killed-at=2'], { sessions: { count: 1, reconnect: false } });
    expect(result.examples['session dropped']).toContain('its process ended: signal SIGKILL');
  });

  test('in the middle of a line', async () => {
    const { counts } = await playStdio(['dies-in-line-at=3'], { sessions: { count: 1, reconnect: false } });
    expect(counts).toMatchObject({ ok: 2, truncatedEvent: 1, disconnected: 1 });
  });

  test('never started: a program that there is not', async () => {
    const { sessions, result } = await playStdio([], {
      target: { command: ['/no/such/program'] },
      sessions: { count: 2, reconnect: false },
    });
    expect(sessions).toEqual({ opened: 2, failed: 2, 'failed:spawn': 2 });
    expect(result.examples['session spawn']).toBe(
      'the server cannot be started: /no/such/program ENOENT: no such command or folder',
    );
  });
});

describe('a pipe that is full', () => {
  const large = 'x'.repeat(100_000);
  const scenario = {
    calls: [{ tool: 'echo', arguments: { message: large }, timeout: '500ms' }],
    sessions: { count: 1, reconnect: false },
    timeouts: { connect: '100ms', handshake: '10s', call: '500ms' },
  } satisfies Partial<ScenarioInput>;

  test('calls that never got into it were not sent, and those that did ran out of time', async () => {
    const { counts, result } = await playStdio(['stops-reading'], {
      ...scenario,
      load: { model: 'count', calls: 40, inFlight: 40 },
    });
    // Some 200 kB are in the pipe and in the server's own buffer.
    expect(Object.keys(counts).toSorted()).toEqual(['notSent', 'timeout']);
    expect(counts['notSent']! + counts['timeout']!).toBe(40);
    expect(counts['notSent']).toBeGreaterThan(30);
    expect(result.totals.pipes!.survivedEof).toBe(1);
  });

  test('both pipes are full and none waits for the other', async () => {
    const { counts, result } = await playStdio([], {
      ...scenario,
      calls: [{ tool: 'echo', arguments: { message: large }, expect: 'echo' }],
      timeouts: {},
      load: { model: 'count', calls: 100, inFlight: 100 },
    });
    expect(counts).toEqual({ ok: 100 });
    expect(result.metrics['queue.wait']!.max, 'most waited for room in the pipe').toBeGreaterThan(1e5);
  });
});

// Each waits for a server that takes its time.
describe.concurrent('the end', () => {
  test('a server that goes on after the end of its input is told by SIGTERM', async ({ expect }) => {
    const { result } = await playStdio(['ignores-eof']);
    expect(result.totals.pipes).toEqual(pipesBut({ survivedEof: 1 }));
    expect(result.findings.map(({ code }) => code)).toContain('survived-eof');
  });

  test('and one that does not mind that, too, by SIGKILL', async ({ expect }) => {
    const { result } = await playStdio(['ignores-eof', 'ignores-term']);
    expect(result.totals.pipes).toEqual(pipesBut({ survivedEof: 1, killed: 1 }));
  });

  test.for(['forks', 'forks-away'])('what it left behind is ended, too: %s', async (way, { expect }) => {
    const { result } = await playStdio([way]);
    expect(result.totals.pipes).toMatchObject({ leftOthers: 1 });
    expect(result.findings.map(({ code }) => code)).toContain('left-processes');
  });

  test('calls in flight are answered first', async ({ expect }) => {
    const { counts } = await playStdio(['delay=50'], { load: { model: 'count', calls: 4, inFlight: 4 } });
    expect(counts).toEqual({ ok: 4 });
  });

  test('sessions that live for some calls are so many processes', async ({ expect }) => {
    const { sessions, counts } = await playStdio([], {
      sessions: { count: 2, lifetime: { calls: 5 } },
      load: { model: 'count', calls: 20, inFlight: 1 },
    });
    expect(counts).toEqual({ ok: 20 });
    expect(sessions['opened']).toBeGreaterThanOrEqual(4);
    expect(sessions['closed']).toBe(sessions['ready']);
  });
});

test('cancelling is a message', async () => {
  const { counts, result } = await playStdio(['silent-at=1'], {
    calls: [{ tool: 'echo', arguments: { message: 'x' }, cancelAfter: '200ms' }],
    load: { model: 'count', calls: 2, inFlight: 1 },
  });
  expect(counts).toEqual({ ok: 1, cancelled: 1 });
  expect(result.totals.pipes!.stderrBytes).toBeGreaterThan(0);
});
