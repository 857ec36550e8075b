import { ask, type Patience } from '../detect/ask.js';
import { accessTarget, type TargetAccess } from '../detect/target-access.js';
import { ExitCode, Failure } from '../failure.js';
import { dialectFor } from '../mcp/dialect.js';
import { eraOf } from '../mcp/era.js';
import { readMirrored } from '../mcp/mirrored-arguments.js';
import { readMessages } from '../mcp/read-messages.js';
import type { MirroredArgument, ResolvedPlan } from '../scenario/plan.js';
import { redact } from '../text/secrets.js';
import { cut, longestName } from '../text/cut.js';

const mostPages = 100;
const longestCursor = 8192;

/**
 * The plan with what its target wants repeated in headers, where there are no sessions: a client has to look that up before it calls a
 * tool, and may not call one that says it wrongly. Of a target that does not list its tools nothing is known.
 */
export async function learnMirrored(
  plan: ResolvedPlan,
  clientVersion: string,
  signal?: AbortSignal,
): Promise<ResolvedPlan> {
  const { target, timeouts } = plan;
  const tools = new Set(plan.operations.flatMap(({ tool }) => (tool === null ? [] : [tool])));
  if (target.transport !== 'streamable' || eraOf(target.protocol) === 'sessions' || tools.size === 0)
    return plan;
  const access = await accessTarget(target, timeouts.connectNs / 1e6);
  const untilMs = performance.now() + timeouts.handshakeNs / 1e6;
  const { meta } = dialectFor(target, clientVersion)('classic');
  const found = new Map<string, readonly MirroredArgument[]>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && performance.now() < untilMs; page++) {
    const params = { ...(cursor === undefined ? {} : { cursor }), _meta: meta };
    const patience = { limitMs: untilMs - performance.now(), signal };
    const list = await listPage(access, target.protocol, params, patience);
    for (const tool of list.tools) take(tool, tools, found);
    cursor = list.nextCursor;
    if (cursor === undefined || found.size === tools.size || signal?.aborted) break;
  }
  const mirrored = plan.operations.map(({ tool }) => (tool === null ? [] : (found.get(tool) ?? [])));
  return mirrored.every((each) => each.length === 0) ? plan : { ...plan, mirrored };
}

function take(
  { name, inputSchema }: { readonly name?: unknown; readonly inputSchema?: unknown },
  wanted: ReadonlySet<string>,
  found: Map<string, readonly MirroredArgument[]>,
): void {
  if (typeof name !== 'string' || !wanted.has(name)) return;
  const mirrored = readMirrored(inputSchema);
  if (typeof mirrored === 'string')
    throw new Failure(
      redact(
        `the tool "${cut(name, longestName)}" says wrongly which arguments belong in headers (x-mcp-header, ${mirrored}): a client must not call it`,
      ),
      ExitCode.usage,
    );
  found.set(name, mirrored);
}

interface Page {
  readonly tools: readonly { readonly name?: unknown; readonly inputSchema?: unknown }[];
  readonly nextCursor: string | undefined;
}

async function listPage(
  { heads, wiring, path }: TargetAccess,
  protocol: string,
  params: object,
  patience: Patience,
): Promise<Page> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
  const head = heads.post(path, wiring.peer.address, [
    ['MCP-Protocol-Version', protocol],
    ['Mcp-Method', 'tools/list'],
  ]);
  const request = `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const { found } = await ask(wiring, request, patience, (_event, text) => resultIn(text));
  const { tools, nextCursor } = found ?? {};
  return {
    tools: Array.isArray(tools) ? tools.filter((tool) => typeof tool === 'object' && tool !== null) : [],
    nextCursor: typeof nextCursor === 'string' && nextCursor.length <= longestCursor ? nextCursor : undefined,
  };
}

function resultIn(text: string): { readonly tools?: unknown; readonly nextCursor?: unknown } | null {
  for (const message of readMessages(text)) {
    if (message.kind !== 'response') continue;
    const { result } = message.body;
    return typeof result === 'object' && result !== null ? result : {};
  }
  return null;
}
