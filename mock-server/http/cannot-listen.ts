import { createServer } from 'node:net';
import { Failure } from '../../src/failure.js';

/** The one clear line about an address that cannot be listened on; without its error code, finds it out. */
export async function cannotListen(host: string, port: number, code?: string): Promise<Failure> {
  const why = code ?? (await codeOf(host, port));
  return new Failure(`cannot listen on ${host}:${port}: ${reasons[why] ?? why}`);
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'the port is in use; try another, or --port 0 for any free one',
  EACCES: 'the port needs more rights than you have; try one from 1024 on, or --port 0 for any free one',
  EADDRNOTAVAIL: 'this machine has no such address; try --host 127.0.0.1',
  ENOTFOUND: 'there is no host of that name; try --host 127.0.0.1',
  EAI_AGAIN: 'the name of the host cannot be looked up; try --host 127.0.0.1',
};

// uWebSockets does not say why it cannot listen; node does.
function codeOf(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resolve('uWebSockets does not; try --engine node')),
    );
  });
}
