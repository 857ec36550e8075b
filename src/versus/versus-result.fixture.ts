import { sampleResult } from '../result/result.fixture.js';
import { rankContest } from './rank-contest.js';
import { roundOrder } from './round-order.js';
import {
  versusMetrics,
  type VersusFigures,
  type VersusResult,
  type VersusRun,
  versusSchema,
  type VersusTarget,
} from './versus-result.js';

/** Made-up contests, one for each way a contest can come out. */
export const contests: Record<string, () => VersusResult> = {
  ranked: () =>
    contest([target('uws', 1), target('ts-sdk', 3), target('fastmcp-ts', 3.004), target('python-sdk', 9)]),
  mixed: () =>
    contest([
      target('slow-server', 40),
      target('quick', 1, { about: 'a library 1.2.3, TypeScript' }),
      target('level', 1.001),
      target('elsewhere', 2, { command: null, url: 'https://mcp.example.com/sse', known: false }),
      target('own-tools', 3, { askedInstead: ['initial_instructions {}'] }),
      failing('crashes', 'it ended by itself: exit code 3 (it said: Error: boom)'),
      failing('never', 'not ready within 30 s: nobody listens at its URL', 1),
    ]),
  paced: () => {
    const { scenario } = sampleResult();
    const load = { model: 'rate', perSecond: 100, arrivals: 'uniform' } as const;
    const keptUp =
      (make: Maker): Maker =>
      (rounds) => {
        const whole = make(rounds);
        const rate = (at: number): number => 99.9 + 0.01 * at;
        const runs = whole.runs.map((run, at) => ({
          ...run,
          achieved: true,
          figures: { ...run.figures, callsPerSec: rate(at) },
        }));
        return { ...whole, runs };
      };
    return contest([keptUp(target('a', 1, { change: { weak: ['p99'] } })), keptUp(target('b', 2))], {
      scenario: { ...scenario, phases: scenario.phases.map((phase) => ({ ...phase, load })) },
    });
  },
  tools: () =>
    contest([
      target('even', 1, { slowTools: { search: 1, echo: 1 } }),
      target('slow-search', 1.002, { slowTools: { search: 3, echo: 0.98 } }),
      target('slow', 4, { slowTools: { search: 4, echo: 4 } }),
      target('other-tools', 2, { askedInstead: ['initial_instructions {}'] }),
    ]),
  suspect: () => contest([target('a', 1), remade(target('b', 2)), givenUp(target('c', 1.5))]),
  few: () => contest([target('a', 1), target('b', 2)], { rounds: 2 }),
  nobody: () => contest([failing('crashes', 'it ended by itself: killed by SIGSEGV')]),
  interrupted: () => {
    const whole = contest([target('a', 1), target('b', 2)]);
    const cut = whole.targets.map((each) => ({ ...each, runs: each.runs.slice(0, 2) }));
    return contest(
      cut.map((each) => () => each),
      { ended: 'interrupted' },
    );
  },
  hostile: () =>
    contest([
      target('<img src=x onerror=alert(1)>\u001b[31m', 1, {
        about: '| a\u202eb | `c` @everyone',
        command: '</script><b>',
      }),
      failing('</table>', '<script>alert(1)</script> \u001b[2J | [x](http://x)'),
    ]),
};

type Maker = (rounds: number) => VersusTarget;

function contest(makers: readonly Maker[], options: Partial<VersusResult> = {}): VersusResult {
  const { rounds = 5, ...change } = options;
  const { tool, environment, scenario, startedAt } = sampleResult();
  const targets = makers.map((make) => make(rounds));
  const closed = { model: 'closed', inFlight: 4, thinkNs: 0 } as const;
  const flatOut = { ...scenario, phases: scenario.phases.map((phase) => ({ ...phase, load: closed })) };
  return {
    schema: versusSchema,
    tool,
    name: 'flat-out',
    startedAt,
    durationMs: 123_000,
    ended: 'complete',
    rounds,
    order: roundOrder(targets.length, rounds).map((row) => row.map((index) => targets[index]!.name)),
    scenario: flatOut,
    environment,
    ...rankContest(targets, rounds, change.scenario ?? flatOut),
    targets,
    ...change,
  };
}

// Each target is disturbed in rounds of its own.
function wobbleOf(name: string, at: number): number {
  const shift = [...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0);
  return wobble[(at + shift) % wobble.length]!;
}

const wobble = [1, 0.985, 1.02, 1.008, 0.993, 1.011, 0.99, 1.004];

function target(
  name: string,
  slowness: number,
  {
    known = true,
    slowTools = {},
    change = {},
    ...rest
  }: Partial<VersusTarget> & {
    known?: boolean;
    /** Tools of a mix, and how slow each is. */
    slowTools?: Record<string, number>;
    change?: Partial<VersusRun>;
  } = {},
): Maker {
  return (rounds) => ({
    name,
    about: null,
    server: { name, version: '1.2.3' },
    dialect: 'classic',
    url: 'http://127.0.0.1:{port}/sse',
    command: `node ${name}.mjs --port {port}`,
    askedInstead: null,
    reason: null,
    runs: Array.from({ length: rounds }, (_, at) => ({
      ...runOf(at + 1, figuresOf(slowness * wobbleOf(name, at), known)),
      resources: known ? resources : null,
      tools: Object.fromEntries(
        Object.entries(slowTools).map(([tool, slow], index) => {
          const factor = slow * wobbleOf(name, at + index + 1);
          return [tool, { p50: 2e6 * factor, p99: 7e6 * factor }];
        }),
      ),
      ...change,
    })),
    ...rest,
  });
}

const late = 'the generator was late itself: phase main, schedule.lag p99 14 ms.';

/** The second round was suspect, and made again. */
function remade(make: Maker): Maker {
  return (rounds) => {
    const whole = make(rounds);
    const suspect: VersusRun = { ...whole.runs[1]!, state: 'suspect', reason: late };
    return { ...whole, runs: whole.runs.toSpliced(1, 0, suspect) };
  };
}

/** The second round was suspect as often as it was made. */
function givenUp(make: Maker): Maker {
  return (rounds) => {
    const whole = make(rounds);
    const suspect: VersusRun = { ...whole.runs[1]!, state: 'suspect', reason: late };
    return {
      ...whole,
      reason: `round 2: suspect in 3 tries, so that nothing can be said about this server: ${late}`,
      runs: whole.runs.toSpliced(1, 1, suspect, suspect, suspect),
    };
  };
}

function failing(name: string, reason: string, times = 5): Maker {
  return () => ({
    ...target(name, 1)(times),
    server: null,
    dialect: null,
    reason: `round${times === 1 ? ' 1' : 's 1, 2, 3, 4, 5'}: ${reason}`,
    runs: Array.from({ length: times }, (_, at): VersusRun => ({
      ...runOf(at + 1, noFigures),
      state: 'failed',
      reason,
      calls: null,
      resources: null,
    })),
  });
}

const resources: VersusRun['resources'] = {
  cpuMs: 3000,
  cpuCalls: 12_000,
  idleBytes: 60e6,
  openBytes: 70e6,
  peakBytes: 120e6,
  sessions: 100,
  processes: 2,
};

function runOf(round: number, figures: VersusFigures): VersusRun {
  return {
    round,
    startedAt: `2026-11-18T07:0${Math.min(9, round)}:12.345Z`,
    state: 'ok',
    reason: null,
    figures,
    tools: {},
    disturbed: {},
    achieved: null,
    weak: [],
    calls: { started: 12_000, failed: 0 },
    doubts: [],
    findings: [],
    resources: null,
  };
}

function figuresOf(slowness: number, known: boolean): VersusFigures {
  return {
    callsPerSec: 43_000 / slowness,
    p50: 2.3e6 * slowness,
    p99: 8.1e6 * slowness,
    handshake: 1.2e6 * slowness,
    cpuPer1000Calls: known ? 21e6 * slowness : null,
    memoryPerSession: known ? 31_000 * slowness : null,
    peakMemory: known ? 60e6 * Math.sqrt(slowness) : null,
  };
}

const noFigures = Object.fromEntries(versusMetrics.map((metric) => [metric, null])) as VersusFigures;
