import { BackgroundMessages } from '../mcp/background-messages.js';
import type { SessionContext } from '../mcp/client-session.js';
import { dialectFor } from '../mcp/dialect.js';
import { Correlator } from '../mcp/correlator.js';
import { MessageRouter } from '../mcp/message-router.js';
import { noOddities } from '../mcp/oddities.js';
import type { Plan, Shard } from '../scenario/plan.js';
import { Recorder } from '../stats/recorder.js';
import { SlotRecorder } from '../stats/slot-recorder.js';
import type { Traffic } from '../transport/traffic.js';
import type { Transport } from '../transport/transport.js';
import { ThreadClock } from './thread-clock.js';
import { Turn } from '../transport/turn.js';
import { Conductor, type ConductorListener, sweepNs } from './conductor.js';
import { Health } from './health.js';
import type { Session } from './session.js';
import type { ShardFinal, ShardInterval, ShardTotals } from './shard-report.js';
import { Workload } from './workload.js';

export interface ShardRunnerOptions {
  readonly plan: Plan;
  readonly shard: Shard;
  /** Wait for what is due by spinning, which takes a core. */
  readonly spin: boolean;
  readonly clientVersion: string;
  readonly createTransport: (turn: Turn) => Transport;
}

export interface ShardListener extends Omit<ConductorListener, 'onInterval'> {
  /** An interval is complete; `soFar` is everything up to its end, of which a worker that crashes later leaves no other trace. */
  onInterval(interval: ShardInterval, soFar: ShardTotals): void;
}

/** One worker's part of a run, from the first connection to the last figure; knows nothing of threads. */
export class ShardRunner {
  private readonly clock = new ThreadClock();
  private readonly turn = new Turn(() => this.clock.waitedNs());
  private readonly transport: Transport;
  private readonly recorder: Recorder;
  private readonly oddities = noOddities();
  private readonly conductor: Conductor;
  private readonly health: Health;
  private firstReady: Session | null = null;
  /** The traffic up to the start of the measurement; null until then. */
  private before: Pick<Traffic, 'bytesIn' | 'bytesOut'> | null = null;

  constructor(options: ShardRunnerOptions, listener: ShardListener) {
    const { plan, shard, spin } = options;
    this.transport = options.createTransport(this.turn);
    this.recorder = new Recorder(plan.phases.length, plan.operations.length);
    this.health = new Health(this.turn, spin, sweepNs, this.clock);
    const parts = {
      plan,
      shard,
      sessions: this.sessionContext(options),
      slots: new SlotRecorder(),
      workload: new Workload(plan),
      health: this.health,
      spin,
    };
    this.conductor = new Conductor(parts, {
      ...listener,
      onOpened: () => {
        for (const session of this.conductor.pool.live) this.firstReady ??= session;
        listener.onOpened();
      },
      onInterval: (interval) =>
        listener.onInterval(interval, this.totalsAt(interval.startNs + interval.durationNs)),
      onMeasuring: () => {
        const { bytesIn, bytesOut } = this.transport.traffic;
        this.before = { bytesIn, bytesOut };
        listener.onMeasuring?.();
      },
    });
  }

  /** Opens one session alone; `onOpened` tells that it is ready or has failed. */
  openFirst(): void {
    this.conductor.pool.openFirst();
  }

  openAll(startNs: number): void {
    this.conductor.pool.openAll(startNs);
  }

  start(startNs: number): void {
    this.health.watch();
    this.conductor.start(startNs);
  }

  /** Makes no more calls; `onDrained` follows when those in flight have ended. */
  stop(): void {
    this.conductor.stop();
  }

  /** Ends everything now; `onDrained` is called before this returns. */
  abort(): void {
    this.conductor.abort();
  }

  get sessionsReady(): number {
    return this.conductor.pool.live.size;
  }

  get inFlight(): number {
    return this.conductor.book.inFlight;
  }

  /** Calls that ended ok so far, of the warm-up too. */
  get okTotal(): number {
    return this.recorder.okTotal;
  }

  /** The target's processes that it has started and that have not ended. */
  get processes(): readonly number[] {
    return [...(this.transport.processes ?? [])];
  }

  /** Why sessions failed to become ready so far. */
  get openingTrouble(): { failures: Record<string, number>; examples: Record<string, string> } {
    const { otherLines, otherLine } = this.transport.traffic.pipes;
    return {
      failures: { ...this.conductor.pool.counts.failures },
      examples: {
        ...this.recorder.examples,
        ...(otherLines === 0 ? {} : { 'standard output': otherLine }),
      },
    };
  }

  /** The final word, once all that is still open has been closed and the servers have been told, as far as they can be. */
  async finish(): Promise<ShardFinal> {
    const health = this.health.read();
    this.conductor.pool.closeAll();
    await this.transport.settle();
    this.transport.close();
    return { ...this.totalsAt(Infinity), health };
  }

  private sessionContext({ plan, shard, clientVersion }: ShardRunnerOptions): SessionContext {
    const { callNs, handshakeNs } = plan.timeouts;
    const { transport, recorder, oddities, turn } = this;
    return {
      transport,
      dialectFor: dialectFor(plan.target, clientVersion, plan.operations),
      listen: plan.target.listen,
      handshakeLimitNs: handshakeNs,
      owedLimitNs: callNs,
      clientVersion,
      recorder,
      oddities,
      correlator: new Correlator(shard.index, shard.of),
      router: new MessageRouter(oddities),
      background: new BackgroundMessages(callNs),
      turn,
    };
  }

  /** What has been counted, of a phase under way as if it ended now, so long after the start of the measurement. */
  private totalsAt(sinceStartNs: number): ShardTotals {
    const { traffic } = this.transport;
    const before = this.before ?? traffic;
    return {
      tallies: this.recorder.allTallies(),
      phases: this.conductor.phasesUntil(sinceStartNs),
      sessions: this.conductor.pool.counts,
      oddities: this.oddities,
      connectRetries: traffic.connectRetries,
      extraConnections: traffic.extraConnections,
      reconnected: traffic.reconnected,
      strayAnswers: traffic.strayAnswers,
      replies: traffic.replies,
      pipes: traffic.pipes,
      bodies: this.conductor.book.bodies,
      inputRounds: this.conductor.book.inputRounds,
      limitsHit: traffic.limitsHit,
      internalErrors: traffic.internalErrors,
      bytesIn: traffic.bytesIn - before.bytesIn,
      bytesOut: traffic.bytesOut - before.bytesOut,
      bytesInBefore: before.bytesIn,
      bytesOutBefore: before.bytesOut,
      coalescing: this.conductor.book.coalescing,
      examples: this.recorder.examples,
      server: this.firstReady?.client.server ?? null,
      dialect: this.firstReady?.client.dialect.name ?? null,
    };
  }
}
