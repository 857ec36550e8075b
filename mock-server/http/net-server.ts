import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { cannotListen } from './cannot-listen.js';
import type { Engine, ListenOptions } from './engine.js';
import type { Front } from './front.js';
import { Connection } from './connection.js';
import type { TickLimits } from './connection-age.js';
import type { ConnectionHost } from './connection.js';

/** Serves a mock with sockets and an HTTP/1.1 of our own: on every platform, without native code. */
export async function serveNet(
  front: Front,
  { host, port }: ListenOptions,
  lookEveryMs = 2000,
): Promise<Engine> {
  const connections = new Connections(front);
  // Half-open: a client that has said its last word still gets what is on its way to it.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => connections.add(socket));
  server.maxConnections = front.limitConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      void cannotListen(host, port, error.code ?? error.message).then(reject);
    });
    server.listen({ host, port, exclusive: true }, resolve);
  });
  // What cannot be accepted, for want of descriptors, is not; all else goes on.
  server.removeAllListeners('error').on('error', () => undefined);
  const looks = setInterval(() => connections.look(), lookEveryMs);
  looks.unref();
  return {
    name: 'node',
    port: (server.address() as AddressInfo).port,
    close: (reason) =>
      new Promise((resolve) => {
        clearInterval(looks);
        front.app.close(reason);
        server.close(() => resolve());
        // What has just been written to streams must leave before all sockets are closed.
        setImmediate(() => connections.destroy());
      }),
  };
}

interface ConnectedSocket extends Socket {
  connection: Connection;
}

/** All connections of a server, and the clock by which they end. */
class Connections implements ConnectionHost {
  tick = 0;
  // About what uWebSockets grants: who sends nothing, or half a request, or reads nothing, does not hold a connection for long.
  readonly limits: TickLimits = { idle: 5, request: 10, unread: 5, closing: 1 };
  private readonly open: Connection[] = [];

  constructor(readonly front: Front) {}

  add(accepted: Socket): void {
    const connection = new Connection(this, accepted);
    connection.index = this.open.push(connection) - 1;
    const socket = accepted as ConnectedSocket;
    socket.connection = connection;
    // The same functions for all: with closures a session would need a kilobyte more.
    socket.on('data', onData);
    socket.on('drain', onDrain);
    socket.on('end', onEnd);
    socket.on('error', onError);
    socket.on('close', onClose);
  }

  forget(connection: Connection): void {
    const last = this.open.pop()!;
    if (last === connection) return;
    this.open[connection.index] = last;
    last.index = connection.index;
  }

  look(): void {
    this.tick++;
    for (const connection of this.open.slice()) connection.look();
  }

  destroy(): void {
    for (const { socket } of this.open) socket.destroy();
  }
}

function onData(this: ConnectedSocket, bytes: Buffer): void {
  this.connection.take(bytes);
}
function onDrain(this: ConnectedSocket): void {
  this.connection.onDrain();
}
function onEnd(this: ConnectedSocket): void {
  this.connection.leave(false);
}
function onError(): void {
  // `close` follows.
}
function onClose(this: ConnectedSocket): void {
  this.connection.onClose();
}
