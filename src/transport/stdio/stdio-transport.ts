import { nowNs } from '../../clock.js';
import { Watchdog } from '../../machine/watchdog.js';
import type { CommandPlan } from '../../scenario/plan.js';
import { ConnectGate } from '../http/connect-gate.js';
import { noTraffic } from '../traffic.js';
import type { Channel, ChannelHandler, Transport } from '../transport.js';
import type { Turn } from '../turn.js';
import { endServer } from './end-server.js';
import { ServerPipes } from './server-pipes.js';
import { type ChannelOwner, StdioChannel } from './stdio-channel.js';

// One that takes longer is not at work, or has more to do than others should wait for.
const startHoldMs = 1000;

/** Servers that are processes, one for each session, spoken to over their standard input and output. */
export class StdioTransport implements Transport, ChannelOwner {
  readonly replies = false;
  readonly traffic = noTraffic();
  readonly processes = new Set<number>();
  private readonly watchdog = new Watchdog();
  private readonly gate: ConnectGate;
  /** Channels whose server has been started and has not said anything yet. */
  private readonly starting = new Map<StdioChannel, NodeJS.Timeout>();
  private readonly ending = new Set<Promise<void>>();

  constructor(
    private readonly command: CommandPlan,
    readonly turn: Turn,
    /** So many servers may be starting at the same time: a start is work for a core. */
    startsAtOnce: number,
  ) {
    this.gate = new ConnectGate(startsAtOnce);
  }

  open(_ordinal: number, handler: ChannelHandler): Channel {
    return new StdioChannel(this, handler);
  }

  async settle(): Promise<void> {
    while (this.ending.size > 0) await Promise.all(this.ending);
  }

  close(): void {
    this.watchdog.close();
  }

  start(channel: StdioChannel): void {
    this.gate.enter(() => {
      if (channel.isOver) this.gate.leave();
      else this.startNow(channel);
    });
  }

  onStarted(channel: StdioChannel): void {
    const timer = this.starting.get(channel);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.starting.delete(channel);
    this.gate.leave();
  }

  end(channel: StdioChannel, pipes: ServerPipes | null, atOnce: boolean): void {
    this.onStarted(channel);
    if (pipes === null) return;
    const { pid } = pipes;
    const ending = endServer(pipes, atOnce, this.traffic.pipes).then(() => {
      this.ending.delete(ending);
      if (pid === null) return;
      this.processes.delete(pid);
      this.watchdog.forget(pid);
    });
    this.ending.add(ending);
  }

  private startNow(channel: StdioChannel): void {
    this.starting.set(
      channel,
      setTimeout(() => this.onStarted(channel), startHoldMs),
    );
    const sinceNs = nowNs();
    // It takes its time, in which nothing is read.
    this.turn.begin(sinceNs);
    const pipes = new ServerPipes(this.command, this.turn, this.traffic.pipes, channel);
    if (pipes.pid !== null) {
      this.processes.add(pipes.pid);
      this.watchdog.watch(pipes.pid);
    }
    channel.begin(pipes, sinceNs, nowNs());
  }
}
