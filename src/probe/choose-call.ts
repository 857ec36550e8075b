import { serverText, readServerInfo } from '../mcp/server-info.js';
import type { JsonValue, TargetPlan } from '../scenario/plan.js';
import { ExitCode, Failure } from '../failure.js';
import { cut, longestName } from '../text/cut.js';
import { listTools } from './list-tools.js';
import { helloOf, openTarget } from './open-target.js';
import { timeCalls } from './time-calls.js';

/** The call that a first look at a server makes. */
export interface ChosenCall {
  readonly server: string;
  /** null: the method is called instead, since there is no tool that may be. */
  readonly tool: string | null;
  readonly method: 'ping' | 'tools/list';
  /** As a scenario has them: what stands in them for a template is the server's, and is sent as it is. */
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly why: string;
}

const tries = 3;

/** Picks the cheapest safe tool of a server and tries it; throws a Failure where there is no server, or the tool gives no answer. */
export async function chooseCall(
  target: TargetPlan,
  { timeoutMs, readOnly }: { readonly timeoutMs: number; readonly readOnly: boolean },
): Promise<ChosenCall> {
  const { client, spoken } = await openTarget(target, timeoutMs);
  try {
    const hello = helloOf(client);
    const { tools } = await listTools(client, hello);
    const allowed = readOnly ? tools.filter(({ annotations }) => annotations?.readOnlyHint === true) : tools;
    const { calls } = await timeCalls(client, allowed, { count: tries });
    const { tool, samples, why } = calls;
    const failure = samples.find((sample) => sample.failure !== null)?.failure ?? null;
    // Where no tool may be called it pinged, which servers without sessions do not know.
    if (tool !== null && failure !== null)
      throw new Failure(
        `${cut(tool, longestName)} failed when it was tried (${failure}): name another tool with --tool`,
        ExitCode.runFailed,
      );
    const marked = readOnly ? 'no tool is marked as only reading; name one with --tool' : why;
    return {
      server: serverText(readServerInfo(hello)),
      tool,
      method: spoken.era === 'stateless' ? 'tools/list' : 'ping',
      arguments: literal(calls.arguments) as Record<string, JsonValue>,
      why: tool === null ? marked : why,
    };
  } finally {
    await client.close();
  }
}

/** A schema's own `{{env NAME}}` would have us send the server what it is not to know. */
function literal(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll('{{', '{{{{');
  if (Array.isArray(value)) return value.map((item: JsonValue) => literal(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item as JsonValue)]));
}
