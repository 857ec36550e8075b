import { strayInHead } from '../wire/head-text.js';
import { longestName } from '../text/cut.js';
import type { Exchange } from './exchange.js';
import { type Era, StreamableClient } from './streamable-client.js';
import type { TargetAccess } from '../detect/target-access.js';

/** A server of Streamable HTTP that answered. */
export interface StreamableServer {
  readonly client: StreamableClient;
  readonly era: Era;
  /** What it said to `server/discover` or `initialize`. */
  readonly hello: Exchange;
}

/** What a POST to the URL came to: the server, or what it answered instead. */
export interface StreamableDetection {
  readonly server: StreamableServer | null;
  /** `POST initialize: 404`, for a message where nothing else is found either. */
  readonly seen: readonly string[];
}

// Errors with which only a server of the stateless age refuses a request.
const statelessErrors = new Set([-32020, -32021, -32022]);

/** Asks in the order that the specification gives: as a stateless server, then as one with sessions. */
export async function detectStreamable(
  access: TargetAccess,
  timeoutMs: number,
): Promise<StreamableDetection> {
  const seen: string[] = [];
  for (const era of ['stateless', 'sessions'] as const) {
    const client = new StreamableClient(access, timeoutMs, era);
    const method = era === 'stateless' ? 'server/discover' : 'initialize';
    const hello = await client.request(method, era === 'stateless' ? {} : client.introduction);
    if (isFrom(era, hello)) {
      const { protocolVersion } = (hello.response!['result'] ?? {}) as { protocolVersion?: unknown };
      if (
        typeof protocolVersion === 'string' &&
        protocolVersion.length <= longestName &&
        strayInHead('target', protocolVersion) === null
      )
        client.protocolVersion = protocolVersion;
      return { server: { client, era, hello }, seen };
    }
    seen.push(`POST ${method}: ${hello.post.failure ?? `${hello.post.status}${hello.post.note}`}`);
    await client.close();
    // Nobody who leaves a POST without an answer will answer the next one.
    if (hello.post.status === null) break;
  }
  return { server: null, seen };
}

function isFrom(era: Era, { response, post }: Exchange): boolean {
  if (response === null) return false;
  const { result, error } = response as { result?: Record<string, unknown>; error?: { code?: unknown } };
  if (era === 'sessions') return post.status === 200 && typeof result?.['protocolVersion'] === 'string';
  if (post.status === 200 && typeof result === 'object' && result !== null) return true;
  return typeof error?.code === 'number' && statelessErrors.has(error.code);
}
