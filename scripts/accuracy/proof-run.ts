import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metric, Outcomes, RunResult } from '../../src/result/result.js';
import { executePlan } from '../../src/run/run.js';
import { planScenario } from '../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../src/scenario/schema.js';
import { readCapture, startCapture } from './capture.js';
import { type Check, exactly } from './check.js';
import { type LoggedCall, type MockLog, readMockLog } from './logged-calls.js';
import { type MockSums, pipedMock, sumStats } from './piped-mocks.js';
import type { Speech } from './speech.js';
import { callsPosted, type WireCall, wireCalls } from './wire-truth.js';

/** A run of the tool against the mock, and what the mock wrote down meanwhile. */
export interface ProofRun {
  readonly result: RunResult;
  /** What the mock, or all of them together, counted. */
  readonly mock: MockSums;
  readonly log: MockLog;
  /** The logged calls without those of the warm-up. */
  readonly measured: readonly LoggedCall[];
  /** The same calls as the kernel saw them pass between the two; null where nothing could be captured. */
  readonly wire: readonly WireCall[] | null;
  /** Counts that must be the same on both sides, and of the calls that passed on the wire. */
  readonly counts: readonly Check[];
}

/** Runs the tool as `mcp-bench run` does, one worker, against a mock in a process of its own. */
export async function proofRun(
  { target: wanted, mockArgs: mockSpeech, responses }: Speech,
  scenario: Omit<ScenarioInput, 'calls' | 'workers' | 'target'>,
  mockArgs: readonly string[],
): Promise<ProofRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-accuracy-'));
  try {
    const path = join(folder, 'calls.jsonl');
    const isPiped = responses === 'line';
    const statsPath = join(folder, 'stats.jsonl');
    const target = isPiped ? { ...wanted, command: pipedMock(path, statsPath, mockArgs) } : wanted;
    const calls = [{ tool: 'echo', arguments: { message: 'call {{seq}}' }, expect: 'echo' as const }];
    // With one worker the order of the ids is that of the intended starts.
    const plan = planScenario({ ...scenario, target, calls, workers: 1 });
    const capturePath = join(folder, 'wire.pcap');
    const capture = isPiped ? null : await startCapture(capturePath);
    const { result, failure } = await executePlan(plan, {
      mockArgs: ['--log', path, ...mockSpeech, ...mockArgs],
    }).finally(() => capture?.stop());
    if (failure !== null) throw failure;
    const log = readMockLog(path);
    const mock = isPiped ? sumStats(statsPath) : (result.target.mockStats as MockSums);
    const port = isPiped ? 0 : Number(new URL(result.target.url!).port);
    const segments = capture === null ? null : readCapture(capturePath);
    const wire = segments === null ? null : wireCalls(segments, port);
    return {
      result,
      mock,
      log,
      measured: log.calls.slice(result.warmup.started),
      wire: wire === null ? null : wire.slice(result.warmup.started),
      counts: [
        ownVerdict(result),
        ...countChecks(result, mock, log),
        ...(segments === null
          ? []
          : [exactly('calls that passed on the wire', log.calls.length, callsPosted(segments, port))]),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A metric of a run or phase, which must be there. */
export function metricOf({ metrics }: { metrics: Record<string, Metric> }, name: string): Metric {
  const metric = metrics[name];
  if (metric === undefined) throw new Error(`the run recorded no ${name}`);
  return metric;
}

// No check, but what the checks are to be read with: the doubts that the tool itself had about the run.
function ownVerdict({ validity, generator }: RunResult): Check {
  const doubts = [...validity.reasons, ...validity.warnings].map(({ code }) => code);
  const stolen = ((generator.stolenCpuShare ?? 0) * 100).toFixed(1);
  return {
    what: 'what the tool says of this run',
    truth: '',
    measured: [validity.state, ...doubts].join(', '),
    off: '',
    allowed: `${stolen} % stolen`,
    pass: true,
  };
}

function countChecks({ totals, warmup }: RunResult, mock: MockSums, log: MockLog): Check[] {
  const { calls, responsesSent, messages } = mock;
  const others = Object.entries(messages.byMethod).filter(
    ([method]) => method !== 'tools/call' && !method.startsWith('notifications/'),
  );
  const { duplicate, late, foreign } = totals.oddities;
  return [
    exactly('calls sent, warm-up and all', calls.received, totals.sent + warmup.sent),
    exactly('calls in the log', calls.received, log.calls.length),
    exactly(
      'responses',
      responsesSent - others.reduce((sum, [, count]) => sum + count, 0),
      answered(totals.outcomes) + answered(warmup.outcomes) + duplicate + late + foreign,
    ),
    exactly('calls without an outcome', 0, totals.conserved ? 0 : 1),
  ];
}

function answered({ ok, toolError, checkFailed, invalidResponse, rpcError }: Outcomes): number {
  const rpcErrors = Object.values(rpcError).reduce((sum, count) => sum + count, 0);
  return ok + toolError + checkFailed + invalidResponse + rpcErrors;
}
