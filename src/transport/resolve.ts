import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { ExitCode, Failure } from '../failure.js';
import type { Address } from './address.js';

/**
 * Finds an IP address of the target's host that takes connections, so that thousands of connects need not ask the resolver
 * again, and a target that is not there is known before anything is started.
 */
export async function resolveTarget(address: Address, timeoutMs: number): Promise<string> {
  const where = address.unixSocket ?? `${address.host} port ${address.port}`;
  const candidates =
    address.unixSocket !== null || isIP(address.host) !== 0 ? [address.host] : await lookUp(address.host);
  let failure: NodeJS.ErrnoException | null = null;
  for (const ip of candidates) {
    try {
      await tryConnect(address, ip, timeoutMs);
      return ip;
    } catch (error) {
      failure ??= error as NodeJS.ErrnoException;
    }
  }
  throw new Failure(`cannot connect to ${where}: ${explain(failure!, timeoutMs)}`, ExitCode.runFailed);
}

async function lookUp(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      `the host name ${host} cannot be resolved (${code}): is it spelt right?`,
      ExitCode.runFailed,
    );
  }
}

function tryConnect(address: Address, ip: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      address.unixSocket === null ? { host: ip, port: address.port } : { path: address.unixSocket },
    );
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    );
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
  });
}

function explain(error: NodeJS.ErrnoException, timeoutMs: number): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'connection refused. Is the server running, and on this port?';
    case 'ENOENT':
      return 'there is no such socket. Is the server running?';
    case 'ETIMEDOUT':
      return `no answer within ${timeoutMs / 1000} s. Is a firewall in between?`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'there is no route to it.';
    case 'EACCES':
      return 'permission denied.';
    default:
      return error.message;
  }
}
