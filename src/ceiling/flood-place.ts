import { ask } from '../detect/ask.js';
import {
  deleteRequest,
  discoverRequest,
  initializeRequest,
  lookForSigns,
  notificationRequest,
} from '../detect/questions.js';
import type { Spoken } from '../detect/spoken.js';
import type { TargetAccess } from '../detect/target-access.js';
import { ExitCode, Failure } from '../failure.js';
import { initializedMessage } from '../mcp/messages.js';
import type { ProbeSession } from '../probe/probe-session.js';
import type { Wiring } from '../transport/http/connection.js';
import { strayInHead } from '../wire/head-text.js';

/** Where a flood goes, and what it is of: one request, again and again. */
export interface FloodPlace {
  readonly wiring: Wiring;
  readonly request: string;
  /** The method that the request names. */
  readonly method: string;
  /** Events that have come on the session's stream, where it has one. */
  readonly eventCount: number;
  /** Ends what was opened for it. */
  close(): Promise<void> | void;
}

const cancelled = 'notifications/cancelled';

// Cancels a request that there is not: every SDK knows the method, none has anything to do for it, and nobody answers it.
const harmless = (stringIds: boolean): string =>
  `{"jsonrpc":"2.0","method":"${cancelled}","params":{"requestId":${stringIds ? '"2147483647"' : '2147483647'},"reason":"mcp-bench ceiling"}}`;

/** The endpoint of an HTTP+SSE session, whose stream is read meanwhile. */
export function endpointOf(access: TargetAccess, session: ProbeSession): FloodPlace {
  const { endpointPath, postWiring, dialect } = session;
  const body = harmless(dialect.stringIds);
  return {
    wiring: postWiring,
    request: `${access.heads.post(endpointPath, postWiring.peer.address)}${body.length}\r\n\r\n${body}`,
    method: cancelled,
    get eventCount() {
      return session.eventCount;
    },
    close: () => session.close(),
  };
}

/** A session of Streamable HTTP, or, where there are none, the one request that every server answers and no tool is called for. */
export async function openFloodPlace(
  access: TargetAccess,
  spoken: Spoken,
  timeoutMs: number,
): Promise<FloodPlace> {
  const { wiring, path } = access;
  const { era, protocolVersion: version } = spoken;
  const common = { wiring, eventCount: 0 };
  if (era === 'stateless')
    return {
      ...common,
      request: discoverRequest(access, path, version),
      method: 'server/discover',
      close: () => {},
    };
  const patience = { limitMs: timeoutMs };
  const hello = await ask(wiring, initializeRequest(access, path, version), patience, lookForSigns);
  if (hello.found === null || 'error' in (hello.found.kind === 'response' ? hello.found.response : {}))
    throw new Failure(
      `initialize was answered ${hello.status ?? hello.failure?.message}${hello.note}`,
      ExitCode.runFailed,
    );
  const given = hello.headers?.get('mcp-session-id');
  const sessionId = given === undefined || strayInHead('target', given) !== null ? null : given;
  const ready = notificationRequest(access, path, initializedMessage, sessionId, version);
  await ask(wiring, ready, patience, () => null);
  return {
    ...common,
    request: notificationRequest(access, path, harmless(false), sessionId, version),
    method: cancelled,
    close: async () => {
      if (sessionId !== null)
        await ask(wiring, deleteRequest(access, path, sessionId, version), patience, () => null);
    },
  };
}
