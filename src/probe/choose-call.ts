import { serverText, readServerInfo } from '../mcp/server-info.js';
import type { JsonValue, TargetPlan } from '../scenario/plan.js';
import { ExitCode, Failure } from '../failure.js';
import { listTools } from './list-tools.js';
import { helloOf, openTarget } from './open-target.js';
import { timeCalls } from './time-calls.js';

/** The call that a first look at a server makes. */
export interface ChosenCall {
  readonly server: string;
  /** null: the method is called instead, since there is no tool that may be. */
  readonly tool: string | null;
  readonly method: 'ping' | 'tools/list';
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
        `${tool} failed when it was tried (${failure}): name another tool with --tool`,
        ExitCode.runFailed,
      );
    const marked = readOnly ? 'no tool is marked as only reading; name one with --tool' : why;
    return {
      server: serverText(readServerInfo(hello)),
      tool,
      method: spoken.era === 'stateless' ? 'tools/list' : 'ping',
      arguments: calls.arguments,
      why: tool === null ? marked : why,
    };
  } finally {
    await client.close();
  }
}
