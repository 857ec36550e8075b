import {
  metricOf,
  sampleOddities,
  sampleOutcomes,
  samplePhase,
  samplePhaseGenerator,
  sampleResult,
  spread,
} from '../../result/result.fixture.js';
import { noPauses } from '../../result/disturbance.js';
import { evaluateThresholds } from '../../result/evaluate-thresholds.js';
import { generatorFacts } from '../../result/facts.js';
import { measuredMetric } from '../../result/measured-metric.js';
import type { RunResult } from '../../result/result.js';
import { finishedRun } from '../../result/threshold-subject.js';
import { judgeValidity } from '../../result/validity.js';
import { Histogram, type HistogramSnapshot } from '../../stats/histogram.js';

/** Hand-made results, one for each way a run can come out: the golden files of every format are made from these. */
export const results: Record<string, () => RunResult> = {
  happy: () => sampleResult(),
  thresholdsHeld: () =>
    sampleResult({
      thresholds: [
        threshold('call.response', 'p(99) < 250ms', 15.3e6, 250e6, true, '15.3 ms, 93.9 % below the limit'),
        threshold('errors', 'rate < 0.1%', 0, 0.001, true, '0 %'),
      ],
    }),
  thresholdsFailed,
  disturbed,
  suspect,
  allFailed,
  interrupted,
  hostile,
};

/** The same result with only the metrics named, for formats that write out every histogram. */
export function withMetrics(result: RunResult, ...names: string[]): RunResult {
  const metrics = Object.entries(result.metrics).filter(([key]) => names.includes(key));
  return { ...result, metrics: Object.fromEntries(metrics) };
}

function threshold(
  metric: string,
  rule: string,
  value: number | null,
  limit: number,
  pass: boolean,
  detail: string,
): RunResult['thresholds'][number] {
  return { metric, rule, value, limit, state: pass ? 'pass' : 'fail', abortOnFail: false, detail };
}

function thresholdsFailed(): RunResult {
  const base = sampleResult();
  const outcomes = sampleOutcomes({ ok: 11_700, httpError: { '503': 250 }, timeout: 12, toolError: 38 });
  return {
    ...base,
    totals: { ...base.totals, callsPerSec: 780, outcomes },
    metrics: {
      ...base.metrics,
      'call.response': metricOf(spread(11_700, 5.2e6, 0.4)),
      'call.response{tool:echo}': metricOf(spread(8_700, 4.8e6, 0.3)),
      'failed.response': metricOf(spread(300, 0.7e6, 0.3)),
    },
    operations: [
      {
        ...base.operations[0]!,
        outcomes: sampleOutcomes({ ok: 8_700, httpError: { '503': 250 }, timeout: 12, toolError: 38 }),
      },
      base.operations[1]!,
    ],
    examples: {
      'httpError 503':
        'POST /messages?sessionId=5d2f got 503 Service Unavailable: "too many requests in flight"',
      toolError: '{"content":[{"type":"text","text":"disk full"}],"isError":true}',
    },
    thresholds: [
      threshold('call.response', 'p(99) < 250ms', null, 250e6, false, 'the p99 falls among failed calls'),
      threshold(
        'call.response{tool:echo}',
        'p(50) < 20ms',
        4.9e6,
        20e6,
        true,
        '4.90 ms, 75.5 % below the limit',
      ),
      threshold('errors', 'rate < 0.1%', 0.025, 0.001, false, '2.5 %, 25 times the limit'),
    ],
    findings: [
      {
        code: 'rate-not-achieved',
        message:
          'phase steady: 780 of the 800 calls/s offered ended ok, 97.5 % (300 calls failed): the server kept up, but failed calls do not count as throughput. See the errors.',
      },
    ],
  };
}

/** One call in fifty was read 30 ms late; other processes took the CPU meanwhile. */
function disturbed(): RunResult {
  const least = spread(12_000, 5.2e6, 0.4);
  const late = (values: number[]): number[] => values.map((ns, at) => (at % 50 === 0 ? ns + 30e6 : ns));
  const metrics = {
    ...sampleResult().metrics,
    'call.response': measuredMetric(
      { seen: recorded(late(least)), least: recorded(least), most: null },
      noPauses,
    ),
    'call.ackToEvent': measuredMetric(
      {
        seen: recorded(late(spread(11_960, 4.7e6, 0.4))),
        least: recorded(spread(11_960, 4.7e6, 0.4)),
        most: recorded(late(spread(11_960, 4.8e6, 0.4))),
      },
      noPauses,
    ),
  };
  const generator = samplePhaseGenerator({ othersCpuShare: 0.6, loopUtilisation: [0.03] });
  const result = sampleResult({ metrics, phases: [samplePhase({ metrics, generator })] });
  return {
    ...result,
    validity: judgeValidity(generatorFacts(result)),
    thresholds: evaluateThresholds(
      ['p(50) < 10ms', 'p(99) < 20ms', 'p(99) < 5ms'].map((rule) => ({
        metric: 'call.response',
        rule,
        abortOnFail: false,
      })),
      finishedRun(result),
    ),
  };
}

function recorded(values: readonly number[]): HistogramSnapshot {
  const histogram = new Histogram();
  for (const ns of values) histogram.record(Math.round(ns));
  return histogram.snapshot();
}

function suspect(): RunResult {
  const base = sampleResult();
  return {
    ...base,
    name: 'burst',
    scenario: {
      ...base.scenario,
      posts: { mode: 'pipelined', connections: 1 },
      sessions: { ...base.scenario.sessions, count: 1000 },
      phases: [
        { name: 'small', durationNs: 5e9, load: { model: 'rate', perSecond: 500, arrivals: 'poisson' } },
        { name: 'bursts', durationNs: 10e9, load: { model: 'burst', calls: 8, everyNs: 1e9 } },
      ],
    },
    metrics: {
      ...base.metrics,
      'schedule.lag': metricOf(spread(12_000, 90e6, 0.4)),
      'queue.wait': metricOf(spread(12_000, 3e6, 0.4)),
    },
    phases: [
      samplePhase({ name: 'small', durationMs: 5_000 }),
      samplePhase({
        name: 'bursts',
        startMs: 5_000,
        durationMs: 10_000,
        totals: {
          started: 8_000,
          sent: 8_000,
          callsPerSec: 790,
          offeredPerSec: 800,
          outcomes: sampleOutcomes({ ok: 7_900, timeout: 100 }),
        },
      }),
    ],
    sessions: {
      ...base.sessions,
      opened: 1002,
      ready: 998,
      failed: 4,
      dropped: 2,
      reconnects: 2,
      connectRetries: 37,
      failures: { connect: 3, initialize: 1 },
    },
    examples: { 'session connect': 'connect ECONNREFUSED 127.0.0.1:8765' },
    warmup: { started: 1_600, sent: 1_600, outcomes: sampleOutcomes({ ok: 1_600 }) },
    totals: { ...base.totals, oddities: sampleOddities({ duplicate: 3, serverRequest: { ping: 30 } }) },
    generator: { ...base.generator, loopUtilisation: [0.97], longestTurnMs: [140], targetCpuShare: null },
    validity: {
      state: 'suspect',
      reasons: [
        {
          code: 'burst-spread',
          message:
            'phase bursts: writing out a burst took 353 ms, more than a tenth of the 1.00 s between two bursts, so they were no bursts any more: send fewer calls at once, or raise --workers.',
        },
      ],
      warnings: [
        {
          code: 'long-turn',
          message:
            'the generator was busy for 140 ms in one turn, so the longest times of all may be its own, though not the p99.',
        },
      ],
    },
    findings: [
      {
        code: 'responses-duplicated',
        message:
          '3 responses came a second time: the server, or a gateway before it, sends some responses twice.',
      },
    ],
  };
}

function allFailed(): RunResult {
  const base = sampleResult();
  const outcomes = sampleOutcomes({ rpcError: { '-32602': 12_000 } });
  return {
    ...base,
    target: { ...base.target, server: null, builtIn: false },
    totals: { ...base.totals, callsPerSec: 0, outcomes },
    metrics: {
      'failed.response': metricOf(spread(12_000, 0.7e6, 0.3)),
      'handshake.total': base.metrics['handshake.total']!,
    },
    operations: [{ ...base.operations[0]!, started: 12_000, callsPerSec: 0, outcomes }],
    phases: [
      samplePhase({
        metrics: {},
        totals: { started: 12_000, sent: 12_000, callsPerSec: 0, offeredPerSec: 800, outcomes },
      }),
    ],
    examples: { 'rpcError -32602': "Invalid params: missing required field 'message'" },
  };
}

function interrupted(): RunResult {
  const base = sampleResult();
  return {
    ...base,
    ended: 'interrupted',
    durationMs: 4_213,
    totals: {
      ...base.totals,
      started: 3_404,
      sent: 3_404,
      offeredPerSec: 808,
      outcomes: sampleOutcomes({ ok: 3_370, aborted: 34 }),
    },
    metrics: {
      'call.response': metricOf(spread(3_370, 5.2e6, 0.4)),
      'call.service': metricOf(spread(3_370, 5.1e6, 0.4)),
    },
    operations: [],
  };
}

/** Every text that comes from elsewhere tries to take hold of what shows it. */
function hostile(): RunResult {
  const base = sampleResult();
  const evil = '\u001b[2J\u0007<script>alert("1")</script> & ]]> | `x` \r\n::error::no\u202e 漢字';
  return {
    ...base,
    name: evil,
    target: {
      ...base.target,
      url: `http://x/${evil}`,
      dialect: 'classic',
      server: { name: evil, version: '\u0000' },
    },
    environment: { ...base.environment, tags: { [evil]: evil } },
    operations: [{ ...base.operations[0]!, name: evil }],
    metrics: { ...base.metrics, [`call.response{tool:${evil}}`]: base.metrics['call.response{tool:echo}']! },
    totals: {
      ...base.totals,
      outcomes: sampleOutcomes({ ok: 11_999, httpError: { '500': 1 } }),
      oddities: sampleOddities({ notification: { [evil]: 1 } }),
    },
    sessions: { ...base.sessions, failures: { [evil]: 1 } },
    examples: { 'httpError 500': evil.repeat(20) },
    thresholds: [threshold(evil, evil, null, 1, false, evil)],
    findings: [{ code: evil, message: evil }],
    validity: { state: 'suspect', reasons: [{ code: evil, message: evil }], warnings: [] },
  };
}
