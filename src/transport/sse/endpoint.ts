import { Failure } from '../../failure.js';
import { strayInHead } from '../../wire/head-text.js';
import type { Address } from '../http/address.js';
import { parseTarget } from '../http/address.js';
import { cut } from '../../text/cut.js';

// Far beyond any that a server has use for: most servers take heads of 8 KiB themselves.
const longestEndpoint = 8192;

export type EndpointReading =
  /** `address` is null where it is the stream's own. */
  | { readonly ok: true; readonly path: string; readonly address: Address | null }
  | { readonly ok: false; readonly message: string };

/**
 * Where a session's POSTs go, from what the first event said. The string is used as given but for its fragment: no
 * normalising of slashes or escapes. An endpoint of another origin than the stream's is refused unless allowed.
 */
export function readEndpoint(
  given: string,
  stream: Address,
  streamPath: string,
  allowForeign: boolean,
): EndpointReading {
  if (given.length > longestEndpoint)
    return { ok: false, message: `the endpoint is ${given.length} characters long` };
  const text = given.trim().replace(/#.*$/s, '');
  if (text === '') return { ok: false, message: 'the endpoint event is empty' };
  const stray = strayInHead('target', text);
  if (stray !== null)
    return {
      ok: false,
      message: `the endpoint "${cut(text, 80)}" has ${stray} in it: only visible ASCII characters may go into a request`,
    };
  const absolute = /^(https?):\/\/([^/?#]+)(.*)$/i.exec(text);
  if (absolute) {
    const [, scheme, authority, rest] = absolute;
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    const foreign = foreignOrigin(scheme.toLowerCase(), authority.toLowerCase(), stream);
    if (foreign === null) return { ok: true, path, address: null };
    if (!allowForeign) return { ok: false, message: foreign };
    return elsewhere(`${scheme}://${authority}`, path);
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('//')) {
    return { ok: false, message: `the endpoint "${cut(text, 80)}" is not an http URL` };
  }
  if (text.startsWith('/')) return { ok: true, path: text, address: null };
  if (text.startsWith('?')) return { ok: true, path: streamPath.replace(/\?.*$/, '') + text, address: null };
  return { ok: true, path: streamPath.replace(/\?.*$/, '').replace(/[^/]*$/, '') + text, address: null };
}

// The server's word, not the user's: what is wrong with it is counted, and ends no worker.
function elsewhere(origin: string, path: string): EndpointReading {
  try {
    return { ok: true, path, address: parseTarget(origin, null).address };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, message: `the endpoint is of no use: ${error.message}` };
  }
}

function foreignOrigin(scheme: string, authority: string, stream: Address): string | null {
  const secure = scheme === 'https';
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(authority.slice(authority.lastIndexOf('@') + 1));
  const host = (match?.[1] ?? authority).replace(/^\[(.*)\]$/, '$1');
  const port = match?.[2] ? Number(match[2]) : secure ? 443 : 80;
  if (secure === stream.secure && host === stream.host.toLowerCase() && port === stream.port) return null;
  const seen = `the endpoint's origin ${scheme}://${authority} is not the stream's ${stream.secure ? 'https' : 'http'}://${stream.hostHeader}`;
  if (isLoopback(host) && isLoopback(stream.host) && secure === stream.secure && port === stream.port) {
    return `${seen}: name the target ${host === '::1' ? '[::1]' : host} as the server does, or allow foreign endpoints`;
  }
  return `${seen}: refused, since a client must not post elsewhere (allowForeignEndpoint permits it)`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
