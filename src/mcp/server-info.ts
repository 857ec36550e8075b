import { cut, longestName } from '../text/cut.js';
import { parseBounded } from '../wire/parse-bounded.js';

/** How a server calls itself. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

// Where there are no sessions a server says who it is beside its results.
const inMeta = 'io.modelcontextprotocol/serverInfo';

/**
 * Reads it from the result of initialize or server/discover, at a length that a name may have; what is no text is empty. null where there
 * is none.
 */
export function readServerInfo(result: unknown): ServerInfo | null {
  const { serverInfo: own, _meta } = (result ?? {}) as { serverInfo?: unknown; _meta?: unknown };
  const serverInfo = own === undefined ? ((_meta ?? {}) as Record<string, unknown>)[inMeta] : own;
  if (serverInfo === undefined) return null;
  const { name, version } = (serverInfo ?? {}) as { name?: unknown; version?: unknown };
  return { name: shortText(name) ?? '', version: shortText(version) ?? '' };
}

/** A text at a length that a name may have; null where the value is no text. */
export function shortText(value: unknown): string | null {
  return typeof value === 'string' ? cut(value, longestName) : null;
}

/** The server in a few words. */
export function serverText(info: ServerInfo | null): string {
  return `${info?.name || 'a server without a name'} ${info?.version ?? ''}`.trim();
}

/** Who the server said that it is, and which revision of the protocol it speaks. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string | null;
}

/** Reads it from the whole response to initialize; null where that is too large to be looked at. */
export function readIdentity(text: string): ServerIdentity | null {
  try {
    const { result } = parseBounded(text) as { result?: { protocolVersion?: unknown } | null };
    const { name, version } = readServerInfo(result) ?? { name: '', version: '' };
    return { name, version, protocolVersion: shortText(result?.protocolVersion) };
  } catch {
    return null;
  }
}
