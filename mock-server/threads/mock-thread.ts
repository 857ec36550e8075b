import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { MockConfig } from '../config/config.js';
import type { ServerFacts } from '../http/front.js';
import { makeApp } from '../make-app.js';
import { Usage } from './usage.js';
import { addRoutes, loadUws } from '../http/uws-server.js';
import { ThreadFront } from './thread-front.js';
import { ThreadLink } from './thread-link.js';
import type { MainToThread, ThreadToMain } from './thread-messages.js';

/** What a thread is started with. */
export interface ThreadData {
  readonly config: MockConfig;
  readonly index: number;
  readonly loopbackOnly: boolean;
  readonly facts: ServerFacts;
  readonly log: string | undefined;
  /** Shared by all threads. */
  readonly usageCells: Int32Array;
  /** The ports to the other threads by index; null at its own. */
  readonly ports: (MessagePort | null)[];
}

await main(workerData as ThreadData);

async function main(data: ThreadData): Promise<void> {
  const uws = await loadUws();
  if (uws instanceof Error) throw uws;
  let baseUrl = '';
  const { index, facts } = data;
  const app = makeApp(data.config, {
    baseUrl: () => baseUrl,
    log: data.log,
    thread: { index, count: facts.threads },
    usage: new Usage(data.usageCells),
  });
  const front = new ThreadFront(app, data.loopbackOnly, facts, index);
  const say = (message: ThreadToMain): void => parentPort!.postMessage(message);
  front.links = data.ports.map((port) =>
    port === null ? undefined : new ThreadLink(port, (message, from) => front.take(message, from)),
  );
  const server = uws.App();
  addRoutes(server, front);
  const close = (): void => {
    say({ kind: 'closed', snapshot: front.ownStats(false) });
    server.close();
    for (const link of front.links) link?.close();
    parentPort!.close();
  };
  parentPort!.on('message', (message: MainToThread) => {
    if (message.kind === 'listening') baseUrl = message.baseUrl;
    else if (message.kind === 'stats') front.stats(false, (snapshot) => say({ kind: 'stats', snapshot }));
    else if (message.kind === 'end') {
      app.close(message.reason);
      afterTwoTurns(() => say({ kind: 'ended' }));
    } else afterTwoTurns(close);
  });
  say({ kind: 'ready', descriptor: (server as unknown as { getDescriptor(): unknown }).getDescriptor() });
}

// Last events for streams that another thread holds need one turn to leave here and one to arrive there.
function afterTwoTurns(run: () => void): void {
  setImmediate(() => setImmediate(run));
}
