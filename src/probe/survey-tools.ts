import { ExitCode, Failure } from '../failure.js';
import type { JsonValue, TargetPlan } from '../scenario/plan.js';
import { Random } from '../scenario/random.js';
import { compileTemplate } from '../scenario/template.js';
import { detectStreamable } from './detect-streamable.js';
import { callFailure, type ProbeClient, resultText } from './exchange.js';
import { listTools, type ToolList } from './list-tools.js';
import { openSession } from './probe.js';
import type { ProbedTool } from './probed-tool.js';
import { sampleArguments } from './sample-arguments.js';
import { accessTarget, type TargetAccess } from './target-access.js';

/** A tool, the arguments made up for it, and how it took them. */
export interface TriedTool {
  readonly tool: ProbedTool;
  /** With templates, as a scenario has them. */
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly doubts: readonly string[];
  /** Why it should not be called, or not like that; null where it works. */
  readonly objection: string | null;
  /** The quickest of the tries, since the first ones pay for what later ones find ready; null where it was not called. */
  readonly bestNs: number | null;
  /** It sends its `message` back, word for word. */
  readonly echoes: boolean;
}

/** What a scenario can be drafted from. */
export interface ToolSurvey {
  readonly url: string;
  readonly server: string;
  readonly dialect: string;
  readonly tools: readonly TriedTool[];
  readonly from: ToolList['from'];
}

/** How long to wait for each answer, and whether tools are called that may change or reach things. */
export interface SurveyOptions {
  readonly timeoutMs: number;
  readonly allowDestructive: boolean;
}

const tries = 3;
// Trying every tool of a server with hundreds would take its time and tell nothing new.
const mostTried = 60;

/** Lists a server's tools and calls each that is safe a few times, with just what a scenario would send. */
export async function surveyTools(target: TargetPlan, options: SurveyOptions): Promise<ToolSurvey> {
  const access = await accessTarget(target, options.timeoutMs);
  await refuseStreamable(access, options.timeoutMs);
  const session = await openSession(access, options);
  try {
    const result = session.initialize!.response!['result'] as {
      serverInfo?: { name?: unknown; version?: unknown };
    };
    const { tools, from } = await listTools(session, result);
    const tried: TriedTool[] = [];
    for (const tool of tools) tried.push(await tryTool(session, tool, tried, options));
    const { name = 'a server without a name', version = '' } = result.serverInfo ?? {};
    return {
      url: target.url,
      server: `${String(name)} ${String(version)}`.trim(),
      dialect: session.dialect.name,
      tools: tried,
      from,
    };
  } finally {
    session.close();
  }
}

async function refuseStreamable(access: TargetAccess, timeoutMs: number): Promise<void> {
  const { server } = await detectStreamable(access, Math.min(3000, timeoutMs));
  if (server === null) return;
  const version = server.client.protocolVersion;
  await server.client.close();
  throw new Failure(
    `${access.target.url} speaks Streamable HTTP ${version}, which \`run\` does not speak yet; does it have an /sse address as well?`,
    ExitCode.runFailed,
  );
}

async function tryTool(
  client: ProbeClient,
  tool: ProbedTool,
  before: readonly TriedTool[],
  { timeoutMs, allowDestructive }: SurveyOptions,
): Promise<TriedTool> {
  const { values, doubts } = sampleArguments(tool.inputSchema, { varied: true });
  const untried = { tool, arguments: values, doubts, bestNs: null, echoes: false };
  const objection = objectionTo(tool, values, before, allowDestructive);
  if (objection !== null) return { ...untried, objection };
  const times: number[] = [];
  const template = compileTemplate(values, {});
  const context = { seq: 0, session: 0, random: new Random(1), row: 0, echo: '' };
  let echoes = typeof values['message'] === 'string';
  for (let at = 0; at < tries; at++) {
    context.seq = at;
    const args = JSON.parse(template.render(context)) as Record<string, JsonValue>;
    const exchange = await client.request('tools/call', { name: tool.name, [client.argumentsKey]: args });
    const failure = callFailure(exchange);
    if (exchange.response === null && (exchange.post.status ?? 500) < 300)
      return {
        ...untried,
        objection: `it gave no answer within ${timeoutMs / 1000} s (--timeout waits longer)`,
      };
    if (failure !== null) return { ...untried, objection: `it failed when it was tried (${failure})` };
    echoes &&= resultText(exchange.response!['result']) === args['message'];
    times.push(exchange.responseNs! - exchange.post.sentNs);
  }
  return { ...untried, objection: null, bestNs: Math.min(...times), echoes };
}

function objectionTo(
  tool: ProbedTool,
  values: JsonValue,
  before: readonly TriedTool[],
  allowDestructive: boolean,
): string | null {
  if (before.some((other) => other.tool.name === tool.name)) return 'another tool has the same name';
  if (!allowDestructive) {
    if (tool.risk === 'destructive') return 'its annotations call it destructive';
    if (tool.risk === 'by-name') return 'by its name it changes things, and nothing says that it does not';
    if (tool.annotations?.openWorldHint === true)
      return 'its annotations say that it reaches out into the world';
  }
  const away = addressesIn(values).find((url) => !isLocal(url));
  if (away !== undefined) return `it would be made to fetch ${away} again and again`;
  if (before.filter(({ bestNs }) => bestNs !== null).length >= mostTried)
    return 'it was not tried: there are many before it';
  return null;
}

function addressesIn(value: JsonValue): string[] {
  if (typeof value === 'string') return value.match(/\bhttps?:\/\/[^\s"'<>]+/g) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => addressesIn(item as JsonValue));
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}
