import { setTimeout as sleep } from 'node:timers/promises';
import { refusalsOf } from '../compare/comparability.js';
import { comparedMetrics, type Figure } from '../compare/run-figures.js';
import { Failure } from '../failure.js';
import { failedCalls, outcomeKinds } from '../result/conservation.js';
import type { RunResult } from '../result/result.js';
import { formatAmount, formatCount, formatPercent } from '../result/units.js';
import type { ExecuteOptions } from '../run/execute-options.js';
import { executePlan } from '../run/run.js';
import { type RunningTarget, startTarget } from '../target/start-target.js';
import { speaking } from '../detect/spoken.js';
import type { Contestant } from './load-targets.js';
import { ResourceWatch } from './resource-watch.js';
import type {
  FigureEnds,
  ToolFigures,
  VersusFigures,
  VersusMetric,
  VersusResources,
  VersusRun,
} from './versus-result.js';
import { redact, redactAll } from '../text/secrets.js';

/** One run of a target: what is kept of it, and the whole result where there is one. */
export interface TargetRun {
  readonly run: VersusRun;
  readonly result: RunResult | null;
  /** It never became ready: there is no use in starting it again. */
  readonly neverReady: boolean;
}

export interface TargetRunOptions {
  readonly round: number;
  /** Whether the user has had enough. */
  interrupted(): boolean;
  readonly watcher?: Pick<ExecuteOptions, 'onState' | 'onPulse' | 'onInterval' | 'onWarning' | 'onControls'>;
}

/** A run with more failed calls than this fails, unless the scenario has a threshold of its own for errors. */
export const mostFailed = 0.01;

/** Starts a target, loads it, stops it; whatever it does wrong is the reason of a failed run, never an exception. */
export async function runTarget(contestant: Contestant, options: TargetRunOptions): Promise<TargetRun> {
  const startedAt = new Date().toISOString();
  const base = { round: options.round, startedAt };
  const started = await startTarget(contestant.launch, contestant.plan.target, {
    readyMs: contestant.readyMs,
    givenUp: () => (options.interrupted() ? 'interrupted' : null),
  });
  if ('reason' in started) {
    const state = options.interrupted() ? 'interrupted' : 'failed';
    return {
      run: { ...base, ...nothing, state, reason: redact(started.reason) },
      result: null,
      neverReady: state === 'failed',
    };
  }
  try {
    return await load(contestant, started, base, options);
  } finally {
    await started.stop();
  }
}

async function load(
  { plan }: Contestant,
  target: RunningTarget,
  base: Pick<VersusRun, 'round' | 'startedAt'>,
  { interrupted, watcher }: TargetRunOptions,
): Promise<TargetRun> {
  const watch = new ResourceWatch(target);
  const isStdio = target.spoken.transport === 'stdio';
  let abort = (): void => {};
  void target.whenCrashed.then(() => abort());
  try {
    const { result, failure } = await executePlan(
      { ...plan, target: speaking(plan.target, target.spoken) },
      {
        ...watcher,
        onState: (state) => {
          if (state === 'running') watch.sessionsOpen();
          watcher?.onState?.(state);
        },
        // Nobody is left to answer: waiting for every call's time limit would tell nothing more.
        onControls: (controls) => {
          abort = () => (target.crashed() === null ? undefined : controls.abort());
          abort();
          watcher?.onControls?.(controls);
        },
        // Of servers that sessions start the run itself knows what they use.
        ...(isStdio ? {} : { targetCpuMs: () => target.usage()?.cpuMs ?? null }),
      },
    );
    const resources = isStdio ? resourcesOfSessions(result) : watch.end(result);
    const ownReason = failure?.message ?? checkFailure(result);
    const crash = await crashOf(target, ownReason !== null);
    const cut = crash === null && result.ended === 'interrupted';
    const reason = crash ?? ownReason;
    const run: VersusRun = {
      ...base,
      ...(cut
        ? ({ state: 'interrupted', reason: 'interrupted' } as const)
        : stateOf(result, redactAll(reason))),
      figures: figuresOf(result, resources),
      tools: toolFiguresOf(result),
      disturbed: disturbedOf(result),
      achieved: achievedOffer(result),
      weak: weakFigures(result),
      calls: { started: result.totals.started, failed: failedCalls(result.totals.outcomes) },
      doubts: result.validity.reasons.map(({ message }) => message),
      findings: result.findings.map(({ message }) => message),
      resources,
    };
    return { run, result, neverReady: false };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reason = (await crashOf(target, true)) ?? error.message;
    const state = interrupted() ? 'interrupted' : 'failed';
    return { run: { ...base, ...nothing, state, reason: redact(reason) }, result: null, neverReady: false };
  } finally {
    watch.stop();
  }
}

const exitNoticedWithinMs = 500;

/** What servers used that are a process for each session; null where that is not known. */
function resourcesOfSessions({ target, totals }: RunResult): VersusResources | null {
  const { resources } = target;
  if (!resources) return null;
  const { cpuMs, peakBytes, processes, sessions = 0 } = resources;
  const cpuCalls = totals.outcomes.ok;
  return { cpuMs, cpuCalls, idleBytes: 0, openBytes: peakBytes, peakBytes, sessions, processes };
}

/** Why the target ended by itself; null where it did not. One that dies closes its sockets before we hear of its end, so a run that failed waits a moment for it. */
async function crashOf(target: RunningTarget, failed: boolean): Promise<string | null> {
  if (failed && target.crashed() === null)
    await Promise.race([target.whenCrashed, sleep(exitNoticedWithinMs)]);
  return target.crashed();
}

/** A run that `compare` would refuse ranks nobody, though the server may be without fault. */
function stateOf(result: RunResult, failed: string | null): Pick<VersusRun, 'state' | 'reason'> {
  if (failed !== null) return { state: 'failed', reason: failed };
  const [refusal] = refusalsOf({ base: [result], head: [] });
  if (refusal === undefined) return { state: 'ok', reason: null };
  return { state: 'suspect', reason: result.validity.reasons[0]?.message ?? refusal.message };
}

const nothing: Omit<VersusRun, 'round' | 'startedAt' | 'state' | 'reason'> = {
  figures: {
    callsPerSec: null,
    p50: null,
    p99: null,
    handshake: null,
    cpuPer1000Calls: null,
    memoryPerSession: null,
    peakMemory: null,
  },
  tools: {},
  disturbed: {},
  achieved: null,
  weak: [],
  calls: null,
  doubts: [],
  findings: [],
  resources: null,
};

/** What makes a run that went to its end fail; null where all is well. */
function checkFailure(result: RunResult): string | null {
  const { totals, sessions, thresholds, scenario, ended, findings } = result;
  const failed = failedCalls(totals.outcomes);
  if (!totals.conserved) return 'the outcomes do not add up to the calls started: a bug in mcp-bench';
  if (totals.started > 0 && failed === totals.started) return `all calls failed: ${worstOf(result)}`;
  const broken = thresholds.filter(({ state }) => state === 'fail');
  if (broken.length > 0)
    return broken
      .map(({ metric, rule, detail }) => `threshold missed: ${metric} ${rule} (${detail})`)
      .join('; ');
  if (ended !== 'complete') return `the run was ${ended}`;
  if (sessions.peakReady < scenario.sessions.count)
    return `only ${formatCount(sessions.peakReady)} of ${formatAmount(scenario.sessions.count, 'session')} became ready`;
  const silent = findings.find(({ code }) => code === 'fell-silent' || code === 'target-gone');
  if (silent !== undefined) return silent.message;
  const ownRule = scenario.thresholds.some(({ metric }) => metric.startsWith('errors'));
  if (!ownRule && failed > mostFailed * totals.started)
    return `${formatPercent(failed / totals.started)} of the calls failed: ${worstOf(result)}`;
  return null;
}

function worstOf({ totals, examples }: RunResult): string {
  const [worst] = outcomeKinds(totals.outcomes)
    .filter(({ outcome, count }) => count > 0 && outcome !== 'ok' && outcome !== 'aborted')
    .sort((a, b) => b.count - a.count);
  if (worst === undefined) return 'no answer';
  const example = examples[worst.key];
  return `${formatCount(worst.count)} × ${worst.key}${example === undefined ? '' : `, such as ${example}`}`;
}

function figureNamed(result: RunResult, name: string): Figure | undefined {
  return comparedMetrics(result)
    .find(({ metric }) => metric === name)
    ?.read(result);
}

function weakFigures(result: RunResult): VersusMetric[] {
  return (['p50', 'p99'] as const).filter((metric) => figureNamed(result, metric)?.weak);
}

function figuresOf(result: RunResult, resources: VersusResources | null): VersusFigures {
  const read = (name: string): number | null => figureNamed(result, name)?.value ?? null;
  return {
    callsPerSec: read('throughput'),
    p50: read('p50'),
    p99: read('p99'),
    handshake: read('handshake.total p50'),
    cpuPer1000Calls:
      resources === null || resources.cpuCalls === 0
        ? null
        : (resources.cpuMs * 1e6 * 1000) / resources.cpuCalls,
    memoryPerSession:
      resources === null || resources.sessions === 0
        ? null
        : Math.max(0, resources.openBytes - resources.idleBytes) / resources.sessions,
    peakMemory: resources?.peakBytes ?? null,
  };
}

function toolFiguresOf(result: RunResult): Record<string, ToolFigures> {
  if (result.operations.length < 2) return {};
  const sound = (figure: Figure | undefined): number | null =>
    figure === undefined || figure.weak ? null : figure.value;
  return Object.fromEntries(
    result.operations.map(({ name }) => [
      name,
      {
        p50: figureNamed(result, `${name} p50`)?.value ?? null,
        p99: sound(figureNamed(result, `${name} p99`)),
      },
    ]),
  );
}

/** Of the figures that rank, those that the generator may have moved: `handshake` here is `handshake.total p50` there. */
function disturbedOf(result: RunResult): Record<string, FigureEnds> {
  return Object.fromEntries(
    comparedMetrics(result).flatMap(({ metric, read }) => {
      const figure = read(result);
      if (figure === undefined || !figure.disturbed) return [];
      const { low, high } = figure;
      return [[metric === 'handshake.total p50' ? 'handshake' : metric, { low, high }]];
    }),
  );
}

function achievedOffer({ totals, findings }: RunResult): boolean | null {
  return totals.offeredPerSec === null ? null : !findings.some(({ code }) => code === 'rate-not-achieved');
}
