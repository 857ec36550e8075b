import { randomUUID } from 'node:crypto';
import { initializedMessage } from '../mcp/messages.js';
import type { Exchange } from './exchange.js';
import type { PostAnswer } from './observed-posts.js';
import type { ProbeSession } from './probe-session.js';

/** How a server answers what is wrong or beside the point; null where it could not be tried. */
export interface Robustness {
  readonly ping: Exchange | null;
  readonly unknownMethod: Exchange | null;
  readonly unknownTool: Exchange | null;
  readonly malformedJson: PostAnswer | null;
  readonly unknownSession: PostAnswer | null;
}

const noSuchMethod = 'mcp-bench/no-such-method';
const noSuchTool = 'mcp-bench-no-such-tool';

/** Tries what a session makes of mistakes; it need not survive that. */
export async function tryRobustness(session: ProbeSession, timeoutMs: number): Promise<Robustness> {
  const ask = async (method: string, params: object): Promise<Exchange | null> =>
    session.isOpen ? session.request(method, params) : null;
  // Where the handshake needs none: a notification is not to be answered, and one server does.
  if (session.initialized === null)
    await session.postRaw(initializedMessage, session.endpointPath, timeoutMs);
  const ping = await ask('ping', {});
  const unknownMethod = await ask(noSuchMethod, {});
  const unknownTool = await ask('tools/call', { name: noSuchTool, [session.argumentsKey]: {} });
  const elsewhere = otherSession(session.endpointPath);
  return {
    ping,
    unknownMethod,
    unknownTool,
    malformedJson: session.isOpen
      ? await session.postRaw('{"jsonrpc":"2.0",', session.endpointPath, timeoutMs)
      : null,
    unknownSession:
      elsewhere === null
        ? null
        : await session.postRaw(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, elsewhere, timeoutMs),
  };
}

// The same endpoint with the id of a session that there is not, in the same form.
function otherSession(endpointPath: string): string | null {
  const found = /([?&]session_?id=)([^&]+)/i.exec(endpointPath);
  if (found === null) return null;
  const plain = /^[0-9a-f]{32}$/i.test(found[2]!);
  const id = plain ? randomUUID().replaceAll('-', '') : randomUUID();
  return endpointPath.replace(found[0], found[1]! + id);
}
