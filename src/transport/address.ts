import { isIP } from 'node:net';
import { ExitCode, Failure } from '../failure.js';

/** Where to connect and what to call it: a URL taken apart once. */
export interface Address {
  readonly secure: boolean;
  /** A host name or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** For the `Host` header, as the URL has it. */
  readonly hostHeader: string;
  readonly unixSocket: string | null;
}

/** Takes a target URL apart; the path keeps its escapes and its trailing slash. */
export function parseTarget(url: string, unixSocket: string | null): { address: Address; path: string } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Failure(`the target "${url}" is not a URL: expected something like http://127.0.0.1:8765/sse`);
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new Failure(`the target "${url}" must be http: or https:, not ${parsed.protocol}`, ExitCode.usage);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new Failure('credentials do not belong in the target URL: use headers or a token instead');
  }
  const secure = parsed.protocol === 'https:';
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = parsed.port === '' ? (secure ? 443 : 80) : Number(parsed.port);
  return {
    address: { secure, host, port, hostHeader: parsed.host, unixSocket },
    path: parsed.pathname + parsed.search,
  };
}

/** The name for the TLS handshake; none for an IP address. */
export function serverName(address: Address): string | undefined {
  return isIP(address.host) === 0 ? address.host : undefined;
}
