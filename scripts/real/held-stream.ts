import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessTree } from '../../src/machine/process-tree.js';

/** A way to a server that passes everything on, but the event stream not while calls are made. */
export interface HeldStream {
  readonly url: string;
  close(): Promise<void>;
}

// Of a handshake: initialize, and notifications/initialized.
const messagesBefore = 2;
const idleMs = 300;

/**
 * Stands between a client and a server of HTTP+SSE: from the first call on nothing of the event stream is read, until `calls` calls have
 * had their 202 and the server's processes use no CPU any more. What it has not sent by then is in its queue, or nowhere.
 */
export async function holdStream(url: string, pid: number, calls: number): Promise<HeldStream> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let stream: Socket | undefined;
  let accepted = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.on('data', (chunk: Buffer) => void to.write(chunk));
    }
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.startsWith('GET ')) stream = upstream;
      if (text.includes('"tools/call"')) stream?.pause();
    });
    upstream.on('data', (chunk: Buffer) => {
      accepted += chunk.toString('latin1').split('HTTP/1.1 202').length - 1;
      if (accepted === messagesBefore + calls)
        void untilIdle(ProcessTree.from([pid])).then(() => stream?.resume());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: url.replace(`:${port}`, `:${(server.address() as AddressInfo).port}`),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function untilIdle(tree: ProcessTree): Promise<void> {
  for (let before = NaN; ; await delay(idleMs)) {
    const now = tree.read()?.cpuMs;
    if (now === undefined || now === before) return;
    before = now;
  }
}
