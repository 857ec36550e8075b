import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nowNs } from '../clock.js';
import { toldContext } from '../mcp/session-context.fixture.js';
import { idOf, methodOf, type Sent, type ToldChannel } from '../mcp/told-channel.fixture.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { countOutcomes, type Outcomes } from '../stats/outcomes.js';
import { warmupPhase } from '../stats/recorder.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import { Conductor, sweepNs } from './conductor.js';
import { Health } from './health.js';
import type { ShardInterval } from './shard-report.js';
import { ThreadClock } from './thread-clock.js';
import { Workload } from './workload.js';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  for (const run of runs.splice(0)) run.end();
  vi.useRealTimers();
});

const runs: Stage[] = [];

function stage(scenario: Partial<ScenarioInput>): Stage {
  const run = new Stage(scenario);
  runs.push(run);
  return run;
}

/** A worker whose server is the test: what each session was asked lies in its channel until the test answers it. */
class Stage {
  readonly heard: string[] = [];
  readonly intervals: ShardInterval[] = [];
  readonly conductor: Conductor;
  private readonly context;
  private readonly health: Health;
  private readonly answered = new Set<Sent>();
  startNs = 0;

  constructor(scenario: Partial<ScenarioInput>) {
    const plan = planScenario({
      name: 'conductor',
      target: { url: 'http://127.0.0.1:1/sse' },
      sessions: 1,
      calls: [{ tool: 'echo', timeout: '5s' }],
      ...scenario,
    } as ScenarioInput);
    this.context = toldContext({}, plan.phases.length, plan.operations.length);
    this.health = new Health(this.context.turn, false, sweepNs, new ThreadClock());
    this.conductor = new Conductor(
      {
        plan,
        shard: { index: 0, of: 1 },
        sessions: this.context,
        slots: new SlotRecorder(),
        workload: new Workload(plan),
        health: this.health,
        spin: false,
      },
      {
        onOpened: () => this.heard.push('opened'),
        onMeasuring: () => this.heard.push(`measuring at ${this.atMs}`),
        onMeasured: () => this.heard.push(`measured at ${this.atMs}`),
        onDrained: () => this.heard.push(`drained at ${this.atMs}`),
        onInterval: (interval) => this.intervals.push(interval),
      },
    );
  }

  get channels(): readonly ToldChannel[] {
    return this.context.transport.channels;
  }

  /** Since the start. */
  get atMs(): number {
    return (nowNs() - this.startNs) / 1e6;
  }

  open(): this {
    this.conductor.pool.openAll(nowNs());
    for (const channel of this.channels) channel.becomesReady();
    return this;
  }

  start(): this {
    this.startNs = nowNs();
    this.conductor.start(this.startNs);
    return this;
  }

  pass(ms: number): this {
    vi.advanceTimersByTime(ms);
    return this;
  }

  /** The calls that were sent and not yet answered, over all sessions. */
  get waiting(): { channel: ToldChannel; sent: Sent }[] {
    return this.channels
      .flatMap((channel) => channel.sent.map((sent) => ({ channel, sent })))
      .filter(({ sent }) => methodOf(sent) === 'tools/call' && !this.answered.has(sent));
  }

  answerAll(): number {
    const { waiting } = this;
    for (const { channel, sent } of waiting) {
      this.answered.add(sent);
      sent.by.onAccepted('', 'none', nowNs());
      channel.says({ jsonrpc: '2.0', id: idOf(sent), result: {} });
    }
    return waiting.length;
  }

  outcomes(phase: number): Record<string, number> {
    const { started, outcomes } = this.context.recorder.tally(phase, 0);
    expect(countOutcomes(outcomes)).toBeLessThanOrEqual(started);
    const some = Object.entries(outcomes as Omit<Outcomes, 'rpcError' | 'httpError'>).filter(
      ([, count]) => typeof count === 'number' && count > 0,
    );
    return { started, ...Object.fromEntries(some) };
  }

  /** Calls of the first phase that still waited when the run was cut short. */
  get cutOff(): number {
    return this.context.recorder.tally(0, 0).cutOff;
  }

  end(): void {
    this.conductor.abort();
    this.conductor.pool.closeAll();
    this.health.read();
  }
}

const tenPerSecond = { load: { model: 'rate', perSecond: 10 } } as const;

describe('phases', () => {
  test('the warm-up is counted by itself; the measurement begins when it is over', () => {
    const run = stage({ ...tenPerSecond, warmup: '1s', duration: '2s' })
      .open()
      .start();
    for (let ms = 0; ms < 3100; ms += 10) run.pass(10).answerAll();
    expect(run.heard).toEqual(['opened', 'measuring at 1000', 'measured at 3000', 'drained at 3000']);
    expect([run.outcomes(warmupPhase), run.outcomes(0)]).toEqual([
      { started: 10, ok: 10 },
      { started: 20, ok: 20 },
    ]);
    expect(run.conductor.phasesUntil(0).map(({ startNs, endNs }) => [startNs, endNs])).toEqual([[0, 2e9]]);
  });

  test('what was due before a border belongs to the phase before it, however late it is found', () => {
    const phase = { duration: '1s', ...tenPerSecond };
    const run = stage({
      sessions: 1,
      phases: [
        { name: 'one', ...phase },
        { name: 'two', ...phase },
      ],
      openLoop: { inFlight: 100 },
    } as Partial<ScenarioInput>).open();
    run.start();
    // The loop is away: all is found when both phases are over.
    const hrtime = process.hrtime;
    process.hrtime = Object.assign(() => {
      const [seconds, nanoseconds] = hrtime();
      return [seconds + 2, nanoseconds] as [number, number];
    }, hrtime);
    run.pass(20);
    expect([run.outcomes(0).started, run.outcomes(1).started]).toEqual([10, 10]);
    run.answerAll();
    expect(run.conductor.phasesUntil(0).map(({ startNs, endNs }) => [startNs, endNs])).toEqual([
      [0, 1e9],
      [1e9, 2e9],
    ]);
  });

  test('a number of calls ends its phase with the last answer, and the next begins then', () => {
    const run = stage({
      phases: [
        { name: 'counted', load: { model: 'count', calls: 3, inFlight: 1 } },
        { name: 'closed', duration: '1s', load: { model: 'closed', inFlight: 2 } },
      ],
    } as Partial<ScenarioInput>)
      .open()
      .start();
    for (let call = 0; call < 3; call++) expect(run.pass(100).answerAll()).toBe(1);
    expect(run.pass(1).waiting, 'the next phase').toHaveLength(2);
    expect(run.conductor.phasesUntil(400e6).map(({ startNs, endNs }) => [startNs, endNs])).toEqual([
      [0, 300e6],
      [300e6, 400e6],
    ]);
  });

  test.each([
    ['and none will come', { reconnect: false }, 20],
    ['for as long as a call may take', { reconnect: true }, 30_100],
  ])('a number of calls is not waited for where no session is left, %s', (_, sessions, waitMs) => {
    const load = { model: 'count', calls: 3, inFlight: 1 };
    const run = stage({ load, sessions: { count: 1, ...sessions } } as Partial<ScenarioInput>)
      .open()
      .start();
    run.pass(100).answerAll();
    run.channels[0]!.loses();
    run.pass(waitMs / 2);
    if (sessions.reconnect) expect(run.heard.at(-1)).toBe('measuring at 0');
    run.pass(waitMs / 2);
    expect(run.heard.at(-1)).toMatch(/^drained/);
    expect(run.outcomes(0)).toEqual({ started: 2, ok: 1, disconnected: 1 });
  });
});

describe('the end', () => {
  test('waits for the calls in flight, but makes no more', () => {
    const run = stage({ ...tenPerSecond, duration: '500ms' })
      .open()
      .start();
    run.pass(700);
    expect([run.waiting.length, run.heard.at(-1)]).toEqual([5, 'measured at 500']);
    run.pass(300).answerAll();
    expect(run.heard.at(-1)).toBe('drained at 1000');
    expect(run.outcomes(0)).toEqual({ started: 5, ok: 5 });
  });

  test('and for their time limits, where the server is silent', () => {
    const run = stage({ ...tenPerSecond, duration: '200ms' })
      .open()
      .start();
    run.pass(6000);
    expect(run.outcomes(0)).toEqual({ started: 2, timeout: 2 });
    expect(run.heard.at(-1)).toMatch(/^drained at 51\d\d$/);
  });

  test('what still waits for a slot is sent as slots become free', () => {
    const run = stage({ ...tenPerSecond, duration: '300ms', openLoop: { inFlight: 1 } } as object)
      .open()
      .start();
    run.pass(350);
    expect(run.waiting).toHaveLength(1);
    for (let call = 0; call < 3; call++) expect(run.pass(10).answerAll()).toBe(1);
    expect(run.outcomes(0)).toEqual({ started: 3, ok: 3 });
    expect(run.heard.at(-1)).toMatch(/^drained/);
  });

  test('waits a second for acceptances that are owed, and no longer', () => {
    const run = stage({ ...tenPerSecond, duration: '100ms' })
      .open()
      .start();
    run.pass(150);
    const [{ channel, sent }] = run.waiting as [{ channel: ToldChannel; sent: Sent }];
    channel.answers(sent);
    expect(run.heard.at(-1)).toBe('measured at 100');
    run.pass(2000);
    expect(run.heard.at(-1)).toMatch(/^drained at 11\d\d$/);
  });

  test('a stop gives up what waits for a slot, and lets end what is in flight', () => {
    const run = stage({ ...tenPerSecond, duration: '10s', openLoop: { inFlight: 1 } } as object)
      .open()
      .start();
    run.pass(450);
    run.conductor.stop();
    expect(run.outcomes(0)).toEqual({ started: 5, notSent: 4 });
    run.answerAll();
    run.conductor.stop();
    expect(run.outcomes(0)).toEqual({ started: 5, ok: 1, notSent: 4 });
    expect(run.cutOff, "nobody's fault").toBe(4);
    expect(run.heard).toEqual(['opened', 'measuring at 0', 'measured at 450', 'drained at 450']);
  });

  test('an abort ends all at once, and once', () => {
    const run = stage({ ...tenPerSecond, duration: '10s', openLoop: { inFlight: 2 } } as object)
      .open()
      .start();
    run.pass(450);
    run.conductor.abort();
    run.conductor.abort();
    run.pass(60_000);
    expect(run.outcomes(0)).toEqual({ started: 5, aborted: 2, notSent: 3 });
    expect(run.cutOff).toBe(3);
    expect(run.heard).toEqual(['opened', 'measuring at 0', 'measured at 450', 'drained at 450']);
  });

  test('a stop before the start is the end', () => {
    const run = stage({ ...tenPerSecond, duration: '1s' });
    run.startNs = nowNs();
    run.conductor.stop();
    expect(run.heard).toEqual(['drained at 0']);
  });
});

test('every second is handed over once, and all of them hold all calls', () => {
  const run = stage({ ...tenPerSecond, duration: '2500ms' })
    .open()
    .start();
  for (let ms = 0; ms < 2600; ms += 50) run.pass(50).answerAll();
  expect(run.intervals.map(({ index, startNs, durationNs }) => [index, startNs, durationNs])).toEqual([
    [0, 0, 1e9],
    [1, 1e9, 1e9],
    [2, 2e9, 0.5e9],
  ]);
  const sum = (name: 'started' | 'ok'): number =>
    run.intervals.reduce((total, interval) => total + interval[name], 0);
  expect([sum('started'), sum('ok')]).toEqual([25, 25]);
});
