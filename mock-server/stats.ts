import { newStreamableCounts, resetStreamableCounts } from './streamable/streamable-stats.js';
import type { StreamableCounts } from './streamable/streamable-stats.js';

/** Everything the mock can do to a call on purpose, by the name it has in the configuration and in the counts. */
export const faultNames = [
  'rpcError',
  'toolError',
  'httpError',
  'lost',
  'duplicate',
  'misrouted',
  'cut',
  'eventBefore202',
  'ackAfterWork',
  'heldPost',
  'unansweredPost',
  'splitEvent',
  'serverRequest',
  'push',
  'slowRead',
] as const;
export type FaultName = (typeof faultNames)[number];

const otherMethodsKept = 100;

/** What `/stats` answers. Every key is documented in mock-server/README.md. */
export interface StatsSnapshot {
  engine: string;
  dialect: string;
  threads: number;
  seed: number;
  sessions: { opened: number; open: number; closedByClient: number; closedByServer: number; refused: number };
  posts: { received: number; aborted: number; byStatus: Record<string, number> };
  messages: { byMethod: Record<string, number>; responses: number };
  calls: { received: number; cancelled: number; byTool: Record<string, number> };
  responsesSent: number;
  eventsSent: number;
  notificationsSent: number;
  serverRequestsSent: number;
  keepAlivesSent: number;
  bytes: { in: number; out: number };
  lateWrites: number;
  unreadCuts: number;
  queueDropped: number;
  hung: number;
  freezes: number;
  injected: Record<FaultName, number>;
  streamable: StreamableCounts;
}

/** Exact counts of all that the mock received, did and sent. */
export class Stats {
  sessionsOpened = 0;
  sessionsOpen = 0;
  closedByClient = 0;
  closedByServer = 0;
  sessionsRefused = 0;
  postsReceived = 0;
  postsAborted = 0;
  responsesReceived = 0;
  callsReceived = 0;
  cancelled = 0;
  responsesSent = 0;
  eventsSent = 0;
  notificationsSent = 0;
  serverRequestsSent = 0;
  keepAlivesSent = 0;
  bytesIn = 0;
  bytesOut = 0;
  lateWrites = 0;
  unreadCuts = 0;
  queueDropped = 0;
  hung = 0;
  freezes = 0;
  readonly injected = zeroFaults();
  readonly streamable = newStreamableCounts();
  private readonly byStatus: number[] = Array.from({ length: 600 }, () => 0);
  private readonly byMethod = new Map<string, { count: number }>();
  private readonly byTool = new Map<string, { count: number }>();

  /** A counter that the hot path keeps hold of, so that counting needs no lookup. */
  toolCounter(name: string): { count: number } {
    return counterIn(this.byTool, name);
  }

  method(name: string): void {
    const known = this.byMethod.get(name);
    if (known) known.count++;
    else counterIn(this.byMethod, this.byMethod.size < otherMethodsKept ? name : '(other)').count++;
  }

  answered(status: number): void {
    this.byStatus[status]!++;
  }

  /** Sets everything to zero but the sessions that are open. */
  reset(): void {
    for (const [key, value] of Object.entries(this))
      if (typeof value === 'number' && key !== 'sessionsOpen')
        (this as unknown as Record<string, number>)[key] = 0;
    for (const name of faultNames) this.injected[name] = 0;
    resetStreamableCounts(this.streamable);
    this.byStatus.fill(0);
    this.byMethod.clear();
    for (const counter of this.byTool.values()) counter.count = 0;
  }

  snapshot(about: Pick<StatsSnapshot, 'engine' | 'dialect' | 'threads' | 'seed'>): StatsSnapshot {
    const byStatus: Record<string, number> = {};
    this.byStatus.forEach((count, status) => {
      if (count > 0) byStatus[status] = count;
    });
    return {
      ...about,
      sessions: {
        opened: this.sessionsOpened,
        open: this.sessionsOpen,
        closedByClient: this.closedByClient,
        closedByServer: this.closedByServer,
        refused: this.sessionsRefused,
      },
      posts: { received: this.postsReceived, aborted: this.postsAborted, byStatus },
      messages: { byMethod: counts(this.byMethod), responses: this.responsesReceived },
      calls: { received: this.callsReceived, cancelled: this.cancelled, byTool: counts(this.byTool) },
      responsesSent: this.responsesSent,
      eventsSent: this.eventsSent,
      notificationsSent: this.notificationsSent,
      serverRequestsSent: this.serverRequestsSent,
      keepAlivesSent: this.keepAlivesSent,
      bytes: { in: this.bytesIn, out: this.bytesOut },
      lateWrites: this.lateWrites,
      unreadCuts: this.unreadCuts,
      queueDropped: this.queueDropped,
      hung: this.hung,
      freezes: this.freezes,
      injected: { ...this.injected },
      streamable: { ...this.streamable },
    };
  }
}

function zeroFaults(): Record<FaultName, number> {
  return Object.fromEntries(faultNames.map((name) => [name, 0])) as Record<FaultName, number>;
}

function counterIn(counters: Map<string, { count: number }>, name: string): { count: number } {
  let counter = counters.get(name);
  if (!counter) counters.set(name, (counter = { count: 0 }));
  return counter;
}

function counts(counters: Map<string, { count: number }>): Record<string, number> {
  return Object.fromEntries([...counters].map(([name, { count }]) => [name, count]));
}
