import { Histogram, type HistogramSnapshot } from './histogram.js';
import { countName, noOutcomes, type Outcomes, type PlainOutcome } from './outcomes.js';

/** What is timed of every call; `failed` holds the response time of calls that did not end ok. */
export const callMetrics = [
  'call.response',
  'call.service',
  'call.ack',
  'call.ackToEvent',
  'call.eventToAck',
  'queue.wait',
  'schedule.lag',
  'failed.response',
] as const;
export type CallMetric = (typeof callMetrics)[number];

export const handshakeMetrics = [
  'handshake.connect',
  'handshake.headers',
  'handshake.endpoint',
  'handshake.initialize',
  'handshake.initialized',
  'handshake.total',
] as const;
export type HandshakeMetric = (typeof handshakeMetrics)[number];

/** Warm-up calls are counted under this phase and timed under none. */
export const warmupPhase = -1;

/** What one interval recorded, in a form that crosses threads: histograms for the non-empty, counts as of now. */
export interface RecorderSnapshot {
  readonly calls: readonly {
    readonly phase: number;
    readonly operation: number;
    readonly metric: CallMetric;
    readonly histogram: HistogramSnapshot;
  }[];
  readonly handshakes: readonly { readonly metric: HandshakeMetric; readonly histogram: HistogramSnapshot }[];
}

/** Counts of one phase and operation. */
export interface Tally {
  started: number;
  readonly outcomes: Outcomes;
}

/**
 * Where every call's times and end are written down, once, in the interval of its end. Histograms hold one interval and
 * are emptied by `takeInterval`; tallies run on. Costs are shown by scripts/bench-record.ts.
 */
export class Recorder {
  private readonly tallies: Tally[] = [];
  private readonly sets: (MetricSet | undefined)[] = [];
  private readonly handshakes = new Map<HandshakeMetric, Histogram>();
  /** Calls that ended ok so far, of the warm-up too. */
  okTotal = 0;
  /** One example per kind of error, the first seen. */
  readonly examples: Record<string, string> = {};

  constructor(
    phases: number,
    private readonly operations: number,
  ) {
    for (let i = 0; i < (phases + 1) * operations; i++)
      this.tallies.push({ started: 0, outcomes: noOutcomes() });
  }

  tally(phase: number, operation: number): Tally {
    return this.tallies[(phase + 1) * this.operations + operation];
  }

  started(phase: number, operation: number): void {
    this.tally(phase, operation).started++;
  }

  /** A call ended without being ok; its time so far goes to its own histogram. */
  failed(phase: number, operation: number, outcome: PlainOutcome, sinceIntendedNs: number): void {
    this.tally(phase, operation).outcomes[outcome]++;
    if (phase !== warmupPhase && outcome !== 'notSent')
      this.set(phase, operation).failed.record(sinceIntendedNs);
  }

  /** The same for outcomes that are told apart by a code; returns what it is counted under, since a server can make codes up. */
  failedWithCode(
    phase: number,
    operation: number,
    kind: 'rpcError' | 'httpError',
    code: number,
    sinceIntendedNs: number,
  ): string {
    if (phase !== warmupPhase) this.set(phase, operation).failed.record(sinceIntendedNs);
    return countName(this.tally(phase, operation).outcomes[kind], String(code));
  }

  ok(
    phase: number,
    operation: number,
    intendedNs: number,
    foundNs: number,
    sentNs: number,
    eventNs: number,
  ): void {
    this.tally(phase, operation).outcomes.ok++;
    this.okTotal++;
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    set.response.record(eventNs - intendedNs);
    set.service.record(eventNs - sentNs);
    set.queueWait.record(sentNs - foundNs);
    set.scheduleLag.record(foundNs - intendedNs);
  }

  /** Both the 2xx and the event of a call that ended ok are there, in either order. */
  acknowledged(phase: number, operation: number, sentNs: number, ackNs: number, eventNs: number): void {
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    set.ack.record(ackNs - sentNs);
    if (ackNs <= eventNs) set.ackToEvent.record(eventNs - ackNs);
    else set.eventToAck.record(ackNs - eventNs);
  }

  handshake(metric: HandshakeMetric, ns: number): void {
    let histogram = this.handshakes.get(metric);
    if (histogram === undefined) this.handshakes.set(metric, (histogram = new Histogram()));
    histogram.record(ns);
  }

  example(kind: string, text: string): void {
    if (!(kind in this.examples)) this.examples[kind] = text.length > 300 ? `${text.slice(0, 297)}…` : text;
  }

  /** Hands over what was recorded since the last time, and starts afresh. */
  takeInterval(): RecorderSnapshot {
    const calls: RecorderSnapshot['calls'][number][] = [];
    for (let i = 0; i < this.sets.length; i++) {
      const set = this.sets[i];
      if (set === undefined) continue;
      const phase = Math.floor(i / this.operations);
      const operation = i % this.operations;
      for (const [metric, histogram] of set.all()) {
        if (histogram.count === 0) continue;
        calls.push({ phase, operation, metric, histogram: histogram.snapshot() });
        histogram.reset();
      }
    }
    const handshakes: RecorderSnapshot['handshakes'][number][] = [];
    for (const [metric, histogram] of this.handshakes) {
      if (histogram.count === 0) continue;
      handshakes.push({ metric, histogram: histogram.snapshot() });
      histogram.reset();
    }
    return { calls, handshakes };
  }

  /** Calls that ended ok so far, of the warm-up too, by operation. */
  okByOperation(): number[] {
    const sums = Array.from({ length: this.operations }, () => 0);
    for (const [at, { outcomes }] of this.tallies.entries()) sums[at % this.operations] += outcomes.ok;
    return sums;
  }

  /** All tallies: warm-up first, then phase by phase, operation by operation. */
  allTallies(): readonly Tally[] {
    return this.tallies;
  }

  /** The tallies of the measured phases. */
  measuredTallies(): readonly Tally[] {
    return this.tallies.slice(this.operations);
  }

  private set(phase: number, operation: number): MetricSet {
    const at = phase * this.operations + operation;
    return (this.sets[at] ??= new MetricSet());
  }
}

class MetricSet {
  readonly response = new Histogram();
  readonly service = new Histogram();
  readonly ack = new Histogram();
  readonly ackToEvent = new Histogram();
  readonly eventToAck = new Histogram();
  readonly queueWait = new Histogram();
  readonly scheduleLag = new Histogram();
  readonly failed = new Histogram();

  all(): [CallMetric, Histogram][] {
    return [
      ['call.response', this.response],
      ['call.service', this.service],
      ['call.ack', this.ack],
      ['call.ackToEvent', this.ackToEvent],
      ['call.eventToAck', this.eventToAck],
      ['queue.wait', this.queueWait],
      ['schedule.lag', this.scheduleLag],
      ['failed.response', this.failed],
    ];
  }
}
