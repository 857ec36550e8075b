import { isIP } from 'node:net';
import { Failure } from '../../failure.js';
import { readUrl } from '../../text/read-url.js';
import { redact } from '../../text/secrets.js';

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
  const parsed = readUrl(url);
  if (parsed === 'malformed')
    throw new Failure(
      `the target "${redact(url)}" is not a URL: expected something like http://127.0.0.1:8765/sse`,
    );
  if (parsed === 'scheme') throw new Failure(`the target "${redact(url)}" must be http: or https:`);
  if (parsed === 'credentials')
    throw new Failure('credentials do not belong in the target URL: use headers or a token instead');
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
