import { connect } from 'node:net';
import type { Address } from './address.js';

/** Why a connection could not be made: in a few words, and what to look at, where that can be known. */
export interface ConnectFailure {
  readonly what: string;
  readonly advice: string | null;
}

/** Makes one connection and lets it go; null where that worked. */
export function tryConnect(address: Address, ip: string, timeoutMs: number): Promise<ConnectFailure | null> {
  return new Promise((resolve) => {
    const socket = connect(
      address.unixSocket === null ? { host: ip, port: address.port } : { path: address.unixSocket },
    );
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    );
    socket.once('connect', () => {
      socket.destroy();
      resolve(null);
    });
    socket.once('error', (error) => resolve(explain(error, timeoutMs)));
    socket.once('close', () => clearTimeout(timer));
  });
}

function explain(error: NodeJS.ErrnoException, timeoutMs: number): ConnectFailure {
  switch (error.code) {
    case 'ECONNREFUSED':
      return { what: 'connection refused', advice: 'Is the server running, and on this port?' };
    case 'ENOENT':
      return { what: 'there is no such socket', advice: 'Is the server running?' };
    case 'ETIMEDOUT':
      return { what: `no answer within ${timeoutMs / 1000} s`, advice: 'Is a firewall in between?' };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { what: 'there is no route to it', advice: null };
    case 'EACCES':
      return { what: 'permission denied', advice: null };
    default:
      return { what: error.message, advice: null };
  }
}
