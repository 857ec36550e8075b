import { nowNs } from '../clock.js';
import { Failure } from '../failure.js';
import type { TargetPlan } from '../scenario/plan.js';
import type { ProbeClient } from './exchange.js';
import { rpcFailure } from './exchange.js';
import { openTarget } from './open-target.js';

/** Tools that a server does not list, and those that it does. */
export interface MissingTools {
  readonly missing: readonly string[];
  readonly known: readonly string[];
}

const mostPages = 50;
const mostKnown = 5000;

/**
 * Which of the tools a server does not have, by its `tools/list`; null where nobody can tell: it is not there, lists none, not all in time, or
 * what is no tool.
 */
export async function findMissingTools(
  target: TargetPlan,
  wanted: readonly string[],
  timeoutMs: number,
): Promise<MissingTools | null> {
  try {
    const { client } = await openTarget(target, timeoutMs);
    try {
      const known = await listNames(client, wanted, nowNs() + timeoutMs * 1e6);
      if (known === null) return null;
      return { missing: wanted.filter((tool) => !known.has(tool)), known: [...known] };
    } finally {
      await client.close();
    }
  } catch (error) {
    // What is wrong with the server, the run says better.
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Names page by page, until all that are wanted are among them; null where the list cannot be read to its end. */
async function listNames(
  client: ProbeClient,
  wanted: readonly string[],
  untilNs: number,
): Promise<Set<string> | null> {
  const known = new Set<string>();
  let cursor: unknown;
  for (let page = 0; page < mostPages; page++) {
    const exchange = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    if (rpcFailure(exchange) !== null) return null;
    const { tools, nextCursor } = (exchange.response!['result'] ?? {}) as Record<string, unknown>;
    if (!Array.isArray(tools)) return null;
    for (const tool of tools as unknown[]) {
      const name = typeof tool === 'object' && tool !== null ? (tool as { name?: unknown }).name : null;
      if (typeof name !== 'string' || known.size >= mostKnown) return null;
      known.add(name);
    }
    if (wanted.every((tool) => known.has(tool))) return known;
    if (typeof nextCursor !== 'string') return known;
    if (nowNs() >= untilNs) return null;
    cursor = nextCursor;
  }
  return null;
}
