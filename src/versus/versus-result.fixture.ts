import { sampleResult } from '../result/result.fixture.js';
import { rankTargets } from './rank-targets.js';
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
      target('doubtful', 1.001, {
        change: {
          doubts: ['the generator was at work for 97.1 % of the time, so the throughput is the generator’s.'],
        },
      }),
      target('elsewhere', 2, { command: null, url: 'https://mcp.example.com/sse', known: false }),
      target('own-tools', 3, { askedInstead: ['initial_instructions {}'] }),
      failing('crashes', 'it ended by itself: exit code 3 (it said: Error: boom)'),
      failing('never', 'not ready within 30 s: nobody listens at its URL', 1),
    ]),
  paced: () => {
    const { scenario } = sampleResult();
    const load = { model: 'rate', perSecond: 100, arrivals: 'uniform' } as const;
    return contest([target('a', 1, { change: { weak: ['p99'] } }), target('b', 2)], {
      scenario: { ...scenario, phases: scenario.phases.map((phase) => ({ ...phase, load })) },
      main: 'p50',
    });
  },
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

function contest(
  makers: readonly Maker[],
  options: Partial<VersusResult> & { main?: VersusResult['rankings'][number]['metric'] } = {},
): VersusResult {
  const { main = 'callsPerSec', rounds = 5, ...change } = options;
  const { tool, environment, scenario, startedAt } = sampleResult();
  const targets = makers.map((make) => make(rounds));
  const ranked = targets.filter(({ reason }) => reason === null);
  const metrics = [main, ...versusMetrics.filter((metric) => metric !== main)];
  const closed = { model: 'closed', inFlight: 4, thinkNs: 0 } as const;
  return {
    schema: versusSchema,
    tool,
    name: 'flat-out',
    startedAt,
    durationMs: 123_000,
    ended: 'complete',
    rounds,
    order: roundOrder(targets.length, rounds).map((row) => row.map((index) => targets[index]!.name)),
    scenario: { ...scenario, phases: scenario.phases.map((phase) => ({ ...phase, load: closed })) },
    environment,
    rankings: metrics.map((metric) =>
      rankTargets(
        metric,
        ranked.map(({ name, runs }) => ({
          target: name,
          values: runs.map(({ figures }) => figures[metric]).filter((value) => value !== null),
        })),
      ),
    ),
    targets,
    ...change,
  };
}

const wobble = [1, 0.985, 1.02, 1.008, 0.993, 1.011, 0.99, 1.004];

function target(
  name: string,
  slowness: number,
  {
    known = true,
    change = {},
    ...rest
  }: Partial<VersusTarget> & { known?: boolean; change?: Partial<VersusRun> } = {},
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
      ...runOf(at + 1, figuresOf(slowness * wobble[at % wobble.length]!, known)),
      resources: known ? resources : null,
      ...change,
    })),
    ...rest,
  });
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
