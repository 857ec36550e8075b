import { eraOf } from '../mcp/era.js';
import { revisions } from '../scenario/revisions.js';

// Those that are asked for.
const newestFirst = revisions.toReversed();
export const statelessRevisions = newestFirst.filter((each) => eraOf(each) === 'stateless');
export const sessionRevisions = newestFirst.filter((each) => eraOf(each) === 'sessions');

// Errors with which only a server of the stateless era refuses a request: headers, capabilities, version.
const statelessErrors: readonly unknown[] = [-32020, -32021, -32022];
const longestRevision = 32;

type Response = Readonly<Record<string, unknown>>;

/**
 * The revision of the stateless era to speak to who has answered `server/discover` like this, having been asked in this one; null where that
 * is no answer of that era. `isOk`: the transport itself did not call it a refusal.
 */
export function discoveredRevision(response: Response, asked: string, isOk: boolean): string | null {
  const { result, error } = response as { result?: unknown; error?: { code?: unknown } | null };
  // Any other result is from a server that answers everything so, the official conformance suite's for one: with {}, or as it does `initialize`.
  const isModern =
    typeof result === 'object' && result !== null
      ? isOk && Array.isArray((result as { supportedVersions?: unknown }).supportedVersions)
      : statelessErrors.includes(error?.code);
  if (!isModern) return null;
  const supported = supportedRevisions(response);
  if (supported.length === 0 || supported.includes(asked)) return asked;
  return statelessRevisions.find((each) => supported.includes(each)) ?? null;
}

/** The revisions that a server says it supports, in a result or in an error. */
export function supportedRevisions(response: Response): string[] {
  const { result, error } = response as {
    result?: { supportedVersions?: unknown } | null;
    error?: { data?: { supported?: unknown } | null } | null;
  };
  const list = result?.supportedVersions ?? error?.data?.supported;
  return Array.isArray(list) ? list.filter(isRevision) : [];
}

/** Whether a text looks like a revision of MCP. */
export function isRevision(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestRevision && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
