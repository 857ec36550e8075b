import { ask } from '../detect/ask.js';
import { discoverRequest, lookForSigns } from '../detect/questions.js';
import { accessTarget } from '../detect/target-access.js';
import { eraOf } from '../mcp/era.js';
import { readServerInfo, type ServerInfo } from '../mcp/server-info.js';
import type { ResolvedPlan } from '../scenario/plan.js';

// It is only a name: whoever takes longer has none.
const longestMs = 2000;

/** Who a server without sessions is, for no call says so; null of all others, which say it when a session begins, and where it does not say. */
export async function learnServer(
  { target, timeouts }: ResolvedPlan,
  signal?: AbortSignal,
): Promise<ServerInfo | null> {
  if (target.transport !== 'streamable' || eraOf(target.protocol) === 'sessions') return null;
  const access = await accessTarget(target, timeouts.connectNs / 1e6);
  const limitMs = Math.min(longestMs, timeouts.handshakeNs / 1e6);
  const request = discoverRequest(access, access.path, target.protocol);
  const { found } = await ask(access.wiring, request, { limitMs, signal }, lookForSigns);
  return found?.kind === 'response' ? readServerInfo(found.response['result']) : null;
}
