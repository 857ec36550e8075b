import { Histogram, type HistogramSnapshot } from './histogram.js';
import { countName, noOutcomes, type Outcomes, type PlainOutcome } from './outcomes.js';
import { cut } from '../text/cut.js';

const longestExample = 300;

/** What is timed of every call; `call.connect` of those only that waited for a connection to be made. `failed` holds the response time of calls that did not end ok. */
export const callMetrics = [
  'call.response',
  'call.service',
  'call.ack',
  'call.ackToEvent',
  'call.eventToAck',
  'call.firstEvent',
  'call.release',
  'queue.wait',
  'call.connect',
  'schedule.lag',
  'failed.response',
] as const;
export type CallMetric = (typeof callMetrics)[number];

/** What is timed of a handshake: the steps that the transport and MCP take, and `handshake.total`. */
export type HandshakeMetric = `handshake.${string}`;

/**
 * `seen`: as measured. `least` and `most`: what it was at the least and at the most, without the generator's own part in it. Between the
 * percentiles of the two lies the true one.
 */
export type Edge = 'seen' | 'least' | 'most';

/** Warm-up calls are counted under this phase and timed under none. */
export const warmupPhase = -1;

/** What one interval recorded, in a form that crosses threads: histograms for the non-empty, counts as of now. */
export interface RecorderSnapshot {
  readonly calls: readonly {
    readonly phase: number;
    readonly operation: number;
    readonly metric: CallMetric;
    readonly edge: Edge;
    readonly histogram: HistogramSnapshot;
  }[];
  readonly handshakes: readonly {
    readonly metric: HandshakeMetric;
    readonly edge: Edge;
    readonly histogram: HistogramSnapshot;
  }[];
}

/** Counts of one phase and operation. */
export interface Tally {
  started: number;
  readonly outcomes: Outcomes;
  /** Of those never sent: calls that still waited when the run was cut short. */
  cutOff: number;
}

/**
 * Where every call's times and end are written down, once, in the interval of its end. Histograms hold one interval and
 * are emptied by `takeInterval`; tallies run on. Costs are shown by scripts/bench/bench-record.ts.
 */
export class Recorder {
  private readonly tallies: Tally[] = [];
  private readonly sets: (MetricSet | undefined)[] = [];
  private readonly handshakes = new Map<HandshakeMetric, { seen: Histogram; least: Histogram }>();
  /** Calls that ended ok so far, of the warm-up too. */
  okTotal = 0;
  /** One example per kind of error, the first seen. */
  readonly examples: Record<string, string> = {};

  constructor(
    phases: number,
    private readonly operations: number,
  ) {
    for (let i = 0; i < (phases + 1) * operations; i++)
      this.tallies.push({ started: 0, outcomes: noOutcomes(), cutOff: 0 });
  }

  tally(phase: number, operation: number): Tally {
    return this.tallies[(phase + 1) * this.operations + operation];
  }

  started(phase: number, operation: number): void {
    this.tally(phase, operation).started++;
  }

  /** A call ended without being ok; its time so far goes to its own histogram. `ownNs`: what of it was the generator's own doing. */
  failed(
    phase: number,
    operation: number,
    outcome: PlainOutcome,
    sinceIntendedNs: number,
    ownNs: number,
  ): void {
    const { outcomes } = this.tally(phase, operation);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (phase !== warmupPhase && outcome !== 'notSent')
      this.noteFailed(phase, operation, sinceIntendedNs, ownNs);
  }

  /** The same for outcomes that are told apart by a code; returns what it is counted under, since a server can make codes up. */
  failedWithCode(
    phase: number,
    operation: number,
    kind: 'rpcError' | 'httpError',
    code: number,
    sinceIntendedNs: number,
    ownNs: number,
  ): string {
    if (phase !== warmupPhase) this.noteFailed(phase, operation, sinceIntendedNs, ownNs);
    return countName(this.tally(phase, operation).outcomes[kind], String(code));
  }

  /** A call that was never sent was not, since the run was cut short. */
  cutOff(phase: number, operation: number): void {
    this.tally(phase, operation).cutOff++;
  }

  /** `lagNs`: what it waited for the generator before it was sent; `unreadNs`: how long the response may have lain in its socket before we read it. */
  ok(
    phase: number,
    operation: number,
    intendedNs: number,
    lagNs: number,
    connectNs: number,
    sentNs: number,
    eventNs: number,
    unreadNs: number,
  ): void {
    this.tally(phase, operation).outcomes.ok++;
    this.okTotal++;
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    set.response.record(eventNs - intendedNs);
    set.responseLeast.record(Math.max(0, eventNs - intendedNs - lagNs - unreadNs));
    set.service.record(eventNs - sentNs);
    set.serviceLeast.record(Math.max(0, eventNs - sentNs - unreadNs));
    set.queueWait.record(sentNs - intendedNs - lagNs - connectNs);
    if (connectNs > 0) set.connect.record(connectNs);
    set.scheduleLag.record(lagNs);
  }

  /** A call that ended ok was accepted so long after it was sent; that may have lain in its socket for `unreadNs`. */
  accepted(phase: number, operation: number, ackNs: number, unreadNs: number): void {
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    set.ack.record(ackNs);
    set.ackLeast.record(Math.max(0, ackNs - unreadNs));
  }

  /** Both the acceptance and the response of a call that ended ok are there, in either order; each may have lain in its socket for so long. */
  answered(
    phase: number,
    operation: number,
    ackNs: number,
    eventNs: number,
    ackUnreadNs: number,
    eventUnreadNs: number,
  ): void {
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    if (ackNs <= eventNs) {
      set.ackToEvent.record(eventNs - ackNs);
      set.ackToEventLeast.record(Math.max(0, eventNs - ackNs - eventUnreadNs));
      set.ackToEventMost.record(eventNs - ackNs + ackUnreadNs);
    } else {
      set.eventToAck.record(ackNs - eventNs);
      set.eventToAckLeast.record(Math.max(0, ackNs - eventNs - ackUnreadNs));
      set.eventToAckMost.record(ackNs - eventNs + eventUnreadNs);
    }
  }

  /** The first message of the reply to a call that ended ok came so long after it was sent. */
  begun(phase: number, operation: number, firstNs: number, unreadNs: number): void {
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    set.firstEvent.record(firstNs);
    set.firstEventLeast.record(Math.max(0, firstNs - unreadNs));
  }

  /** The reply to a call that ended ok went on for so long after its response; each of the two may have lain in its socket. */
  released(
    phase: number,
    operation: number,
    releaseNs: number,
    eventUnreadNs: number,
    endUnreadNs: number,
  ): void {
    if (phase === warmupPhase) return;
    const set = this.set(phase, operation);
    set.release.record(releaseNs);
    set.releaseLeast.record(Math.max(0, releaseNs - endUnreadNs));
    set.releaseMost.record(releaseNs + eventUnreadNs);
  }

  /** `ownNs`: what of it may have been the generator's own doing. */
  handshake(metric: HandshakeMetric, ns: number, ownNs: number): void {
    let both = this.handshakes.get(metric);
    if (both === undefined)
      this.handshakes.set(metric, (both = { seen: new Histogram(), least: new Histogram() }));
    both.seen.record(ns);
    both.least.record(Math.max(0, ns - ownNs));
  }

  example(kind: string, text: string): void {
    if (!(kind in this.examples)) this.examples[kind] = cut(text, longestExample);
  }

  /** Hands over what was recorded since the last time, and starts afresh. */
  takeInterval(): RecorderSnapshot {
    const calls: RecorderSnapshot['calls'][number][] = [];
    for (let i = 0; i < this.sets.length; i++) {
      const set = this.sets[i];
      if (set === undefined) continue;
      const phase = Math.floor(i / this.operations);
      const operation = i % this.operations;
      for (const [metric, edge, histogram] of set.all) {
        if (histogram.count === 0) continue;
        calls.push({ phase, operation, metric, edge, histogram: histogram.snapshot() });
        histogram.reset();
      }
    }
    const handshakes: RecorderSnapshot['handshakes'][number][] = [];
    for (const [metric, both] of this.handshakes) {
      for (const edge of ['seen', 'least'] as const) {
        const histogram = both[edge];
        if (histogram.count === 0) continue;
        handshakes.push({ metric, edge, histogram: histogram.snapshot() });
        histogram.reset();
      }
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

  private noteFailed(phase: number, operation: number, sinceIntendedNs: number, ownNs: number): void {
    const set = this.set(phase, operation);
    set.failed.record(sinceIntendedNs);
    set.failedLeast.record(Math.max(0, sinceIntendedNs - ownNs));
  }

  private set(phase: number, operation: number): MetricSet {
    const at = phase * this.operations + operation;
    return (this.sets[at] ??= new MetricSet());
  }
}

class MetricSet {
  readonly response = new Histogram();
  readonly responseLeast = new Histogram();
  readonly service = new Histogram();
  readonly serviceLeast = new Histogram();
  readonly ack = new Histogram();
  readonly ackLeast = new Histogram();
  readonly ackToEvent = new Histogram();
  readonly ackToEventLeast = new Histogram();
  readonly ackToEventMost = new Histogram();
  readonly eventToAck = new Histogram();
  readonly eventToAckLeast = new Histogram();
  readonly eventToAckMost = new Histogram();
  readonly firstEvent = new Histogram();
  readonly firstEventLeast = new Histogram();
  readonly release = new Histogram();
  readonly releaseLeast = new Histogram();
  readonly releaseMost = new Histogram();
  readonly queueWait = new Histogram();
  readonly connect = new Histogram();
  readonly scheduleLag = new Histogram();
  readonly failed = new Histogram();
  readonly failedLeast = new Histogram();

  readonly all: readonly (readonly [CallMetric, Edge, Histogram])[] = [
    ['call.response', 'seen', this.response],
    ['call.response', 'least', this.responseLeast],
    ['call.service', 'seen', this.service],
    ['call.service', 'least', this.serviceLeast],
    ['call.ack', 'seen', this.ack],
    ['call.ack', 'least', this.ackLeast],
    ['call.ackToEvent', 'seen', this.ackToEvent],
    ['call.ackToEvent', 'least', this.ackToEventLeast],
    ['call.ackToEvent', 'most', this.ackToEventMost],
    ['call.eventToAck', 'seen', this.eventToAck],
    ['call.eventToAck', 'least', this.eventToAckLeast],
    ['call.eventToAck', 'most', this.eventToAckMost],
    ['call.firstEvent', 'seen', this.firstEvent],
    ['call.firstEvent', 'least', this.firstEventLeast],
    ['call.release', 'seen', this.release],
    ['call.release', 'least', this.releaseLeast],
    ['call.release', 'most', this.releaseMost],
    ['queue.wait', 'seen', this.queueWait],
    ['call.connect', 'seen', this.connect],
    ['schedule.lag', 'seen', this.scheduleLag],
    ['failed.response', 'seen', this.failed],
    ['failed.response', 'least', this.failedLeast],
  ];
}
