import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ExitCode, Failure } from '../../failure.js';
import type { Address } from './address.js';
import { type ConnectFailure, tryConnect } from './try-connect.js';

/**
 * Finds an IP address of the target's host that takes connections, so that thousands of connects need not ask the resolver
 * again, and a target that is not there is known before anything is started.
 */
export async function resolveTarget(address: Address, timeoutMs: number): Promise<string> {
  const where = address.unixSocket ?? `${address.host} port ${address.port}`;
  const candidates =
    address.unixSocket !== null || isIP(address.host) !== 0 ? [address.host] : await lookUp(address.host);
  let first: ConnectFailure | null = null;
  for (const ip of candidates) {
    const failure = await tryConnect(address, ip, timeoutMs);
    if (failure === null) return ip;
    first ??= failure;
  }
  const { what, advice } = first!;
  const why = [what, advice].filter((text) => text !== null).join('. ');
  throw new Failure(`cannot connect to ${where}: ${why}`, ExitCode.runFailed);
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
