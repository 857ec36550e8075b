import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort, TransferListItem } from 'node:worker_threads';
import type { MockConfig } from '../config/config.js';
import type { Engine, ListenOptions } from '../http/engine.js';
import type { ServerFacts } from '../http/front.js';
import { sumStats } from './sum-stats.js';
import type { StatsSnapshot } from '../stats.js';
import { Usage } from './usage.js';
import { listenUws } from '../http/uws-server.js';
import type { Uws } from '../http/uws-server.js';
import type { ThreadData } from './mock-thread.js';
import type { MainToThread, ThreadToMain } from './thread-messages.js';

/** A mock that runs on several threads behind one port. */
export interface ThreadPool extends Engine {
  stats(): Promise<StatsSnapshot>;
}

/** What the threads need to know besides where to listen. */
export interface ThreadPoolOptions {
  readonly config: MockConfig;
  readonly facts: ServerFacts;
  readonly loopbackOnly: boolean;
  readonly log: string | undefined;
  baseUrl(port: number): string;
}

/** Starts the threads and an acceptor that hands connections to them in turn. */
export async function serveThreads(
  uws: Uws,
  listen: ListenOptions,
  options: ThreadPoolOptions,
): Promise<ThreadPool> {
  const acceptor = uws.App();
  const workers = start(options);
  let final: StatsSnapshot | undefined;
  try {
    for (const { descriptor } of await Promise.all(workers.map((worker) => told(worker, 'ready')))) {
      (acceptor as unknown as { addChildAppDescriptor(descriptor: unknown): void }).addChildAppDescriptor(
        descriptor,
      );
    }
    const port = await listenUws(uws, acceptor, listen);
    tell(workers, { kind: 'listening', baseUrl: options.baseUrl(port) });
    return {
      name: 'uws',
      port,
      stats: async () => {
        if (final) return final;
        tell([workers[0]!], { kind: 'stats' });
        return (await told(workers[0]!, 'stats')).snapshot;
      },
      close: async (reason) => {
        // First of all: a connection handed to a thread that has ended would take the process with it.
        acceptor.close();
        const ended = workers.map((worker) => told(worker, 'ended'));
        tell(workers, { kind: 'end', reason });
        await Promise.all(ended);
        const closed = workers.map((worker) => told(worker, 'closed'));
        tell(workers, { kind: 'close' });
        final = sumStats((await Promise.all(closed)).map(({ snapshot }) => snapshot));
      },
    };
  } catch (error) {
    acceptor.close();
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw error;
  }
}

function start({ config, facts, loopbackOnly, log }: ThreadPoolOptions): Worker[] {
  const count = facts.threads;
  const usageCells = Usage.sharedCells();
  const ports = Array.from({ length: count }, () => Array<MessagePort | null>(count).fill(null));
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const { port1, port2 } = new MessageChannel();
      ports[a]![b] = port1;
      ports[b]![a] = port2;
    }
  return ports.map((mine, index) => {
    const data: ThreadData = { config, index, loopbackOnly, facts, log, usageCells, ports: mine };
    return new Worker(new URL('./mock-thread.js', import.meta.url), {
      workerData: data,
      transferList: mine.filter((port) => port !== null) as TransferListItem[],
    });
  });
}

function tell(workers: readonly Worker[], message: MainToThread): void {
  for (const worker of workers) worker.postMessage(message);
}

async function told<K extends ThreadToMain['kind']>(
  worker: Worker,
  kind: K,
): Promise<Extract<ThreadToMain, { kind: K }>> {
  for (;;) {
    // Rejects where the thread fails, with the thread's own error.
    const [message] = (await once(worker, 'message')) as [ThreadToMain];
    if (message.kind === kind) return message as Extract<ThreadToMain, { kind: K }>;
  }
}
