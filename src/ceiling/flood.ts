import { nowNs } from '../clock.js';
import { ExitCode, Failure } from '../failure.js';
import { Histogram } from '../stats/histogram.js';
import { summarise } from '../stats/hdr.js';
import type { CloseReason } from '../transport/http/close-reason.js';
import { FloodLine } from './flood-line.js';
import type { FloodPlace } from './flood-place.js';

/** What came of flooding a server with one harmless message. */
export interface Flood {
  /** Of that message. */
  readonly method: string;
  readonly connections: number;
  readonly durationMs: number;
  readonly accepted: number;
  readonly acceptedPerSec: number;
  /** Refused POSTs by their status. */
  readonly refused: Readonly<Record<string, number>>;
  /** Connections that broke, and POSTs that nobody answered. */
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How busy this process was with it: near 1 the flood was limited by us. */
  readonly clientBusy: number;
  /** Events that came on the streams meanwhile. */
  readonly events: number;
}

const answerLimitNs = 10e9;
const sweepMs = 250;
// A server that ends each connection without an answer is not to be met with a storm of new ones.
const pauseMs = 100;

/**
 * Floods the endpoints of open sessions, while what streams they have are read in this process. Its connections are made as a run's are: the
 * certificate of each is verified before it carries anything. Throws a Failure where one cannot be.
 */
export async function flood(
  places: readonly FloodPlace[],
  options: { connections: number; durationMs: number },
): Promise<Flood> {
  const before = eventsOn(places);
  const busyBefore = performance.eventLoopUtilization();
  const startNs = nowNs();
  const lines = new FloodLines(places, options.connections);
  await lines.floodFor(options.durationMs);
  const durationMs = (nowNs() - startNs) / 1e6;
  const { accepted, refused, errors, times } = lines;
  const { p50, p99 } = summarise(times);
  return {
    method: places[0]!.method,
    connections: options.connections,
    durationMs,
    accepted,
    acceptedPerSec: (accepted * 1000) / durationMs,
    refused,
    errors,
    p50Ms: p50 / 1e6,
    p99Ms: p99 / 1e6,
    clientBusy: performance.eventLoopUtilization(busyBefore).utilization,
    events: eventsOn(places) - before,
  };
}

/** The connections of one flood, dealt out over the sessions, and what was answered on them. */
class FloodLines {
  accepted = 0;
  errors = 0;
  readonly refused: Record<string, number> = {};
  readonly times = new Histogram();
  /** By the place of its session. */
  private readonly lines = new Map<FloodLine, number>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  private over = false;
  private fail: (failure: Failure) => void = () => {};

  constructor(
    private readonly places: readonly FloodPlace[],
    private readonly connections: number,
  ) {}

  async floodFor(durationMs: number): Promise<void> {
    const failed = new Promise<never>((_, reject) => (this.fail = reject));
    for (let at = 0; at < this.connections; at++) this.open(at % this.places.length);
    const sweep = setInterval(() => this.sweep(), sweepMs);
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([new Promise((resolve) => (timer = setTimeout(resolve, durationMs))), failed]);
    } finally {
      this.over = true;
      clearTimeout(timer);
      clearInterval(sweep);
      for (const pause of this.pauses) clearTimeout(pause);
      for (const line of this.lines.keys()) line.destroy();
    }
  }

  private open(at: number): void {
    const { wiring, request } = this.places[at]!;
    const line = new FloodLine(wiring, request, {
      onAnswer: (status, tookNs) => this.count(status, tookNs),
      onOver: (gone, reason) => this.replace(gone, reason),
    });
    this.lines.set(line, at);
  }

  private count(status: number, tookNs: number): void {
    this.times.record(tookNs);
    if (status >= 200 && status <= 299) this.accepted++;
    else this.refused[status] = (this.refused[status] ?? 0) + 1;
  }

  private replace(line: FloodLine, reason: CloseReason | null): void {
    const at = this.lines.get(line)!;
    this.lines.delete(line);
    if (this.over) return;
    if (reason !== null) this.errors++;
    if (reason?.kind === 'tls')
      return this.fail(
        new Failure(`a connection of the flood was given up: ${reason.message}`, ExitCode.runFailed),
      );
    if (line.answers > 0) return this.open(at);
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      this.open(at);
    }, pauseMs);
    this.pauses.add(pause);
  }

  private sweep(): void {
    const limit = nowNs() - answerLimitNs;
    for (const [line, at] of this.lines) {
      if (!line.hasWaitedSince(limit)) continue;
      this.lines.delete(line);
      line.destroy();
      this.errors++;
      this.open(at);
    }
  }
}

function eventsOn(places: readonly FloodPlace[]): number {
  return places.reduce((sum, { eventCount }) => sum + eventCount, 0);
}
