import { nowNs } from '../clock.js';
import type { CommandPlan, JsonValue, TargetPlan } from '../scenario/plan.js';
import { Random } from '../scenario/random.js';
import { compileTemplate } from '../scenario/template.js';
import { callFailure, type ProbeClient, resultText } from './exchange.js';
import { listTools, type ToolList } from './list-tools.js';
import { helloOf, openTarget } from './open-target.js';
import type { ProbedTool } from './probed-tool.js';
import { sampleArguments } from './sample-arguments.js';
import { type SharedEffort, sharedEffort } from './sample-budget.js';
import { spokenText } from '../detect/spoken.js';
import { readServerInfo, serverText } from '../mcp/server-info.js';
import { cut } from '../text/cut.js';
import { isLoopback } from '../text/is-loopback.js';

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
  /** '' of a command. */
  readonly url: string;
  /** Of a server that was started and spoken to over stdio. */
  readonly command?: CommandPlan | undefined;
  readonly server: string;
  /** How it is spoken to, in a few words. */
  readonly spoken: string;
  readonly dialect: string;
  readonly tools: readonly TriedTool[];
  /** Those that could not be looked at, and why. */
  readonly leftOut: ToolList['leftOut'];
  readonly from: ToolList['from'];
  /** Why there may be more tools than these; null where there are none. */
  readonly problem: string | null;
}

/** How long to wait for each answer, and whether tools are called that may change or reach things. */
export interface SurveyOptions {
  readonly timeoutMs: number;
  readonly allowDestructive: boolean;
}

const longestShown = 300;
const tries = 3;
// Trying every tool of a server with hundreds would take its time and tell nothing new.
const mostWorking = 60;
const mostTried = 200;
const mostUnanswered = 5;
// A server may let us wait for each answer as long as we do: all together they take no longer than so many of them.
const mostWaits = 30;
// What a scenario can hold and still be read by somebody.
const mostDrafted = 500_000;

/** How far a survey has come, and what it may yet cost. */
interface Progress {
  readonly tried: TriedTool[];
  readonly effort: SharedEffort;
  readonly deadlineNs: number;
  attempts: number;
  unanswered: number;
  drafted: number;
}

/** Lists a server's tools and calls each that is safe a few times, with just what a scenario would send. */
export async function surveyTools(target: TargetPlan, options: SurveyOptions): Promise<ToolSurvey> {
  const { spoken, client } = await openTarget(target, options.timeoutMs);
  try {
    const result = helloOf(client);
    const { tools, leftOut, from, problem } = await listTools(client, result);
    const progress: Progress = {
      tried: [],
      effort: sharedEffort(),
      deadlineNs: nowNs() + mostWaits * options.timeoutMs * 1e6,
      attempts: 0,
      unanswered: 0,
      drafted: 0,
    };
    for (const tool of tools) progress.tried.push(await tryTool(client, tool, progress, options));
    return {
      url: spoken.url,
      command: target.command,
      spoken: spoken.transport === 'sse' ? `dialect ${client.dialect.name}` : spokenText(spoken),
      server: serverText(readServerInfo(result)),
      dialect: client.dialect.name,
      tools: progress.tried,
      leftOut,
      from,
      problem: from === 'tools/list' ? problem : null,
    };
  } finally {
    await client.close();
  }
}

async function tryTool(
  client: ProbeClient,
  tool: ProbedTool,
  progress: Progress,
  options: SurveyOptions,
): Promise<TriedTool> {
  const { effort } = progress;
  const { values, doubts, objection: unfit } = sampleArguments(tool.inputSchema, { varied: true, effort });
  const untried = { tool, arguments: values, doubts, bestNs: null, echoes: false };
  const objection = tool.unfit ?? unfit ?? objectionTo(tool, values, progress, options);
  if (objection !== null) return { ...untried, objection };
  progress.attempts++;
  const times: number[] = [];
  const template = compileTemplate(values, {});
  const context = { seq: 0, session: 0, seed: 1, random: new Random(1), row: 0, echo: '' };
  let echoes = typeof values['message'] === 'string';
  for (let at = 0; at < tries; at++) {
    context.seq = at;
    const args = JSON.parse(template.render(context)) as Record<string, JsonValue>;
    const exchange = await client.request('tools/call', { name: tool.name, [client.argumentsKey]: args });
    if (exchange.response === null) progress.unanswered++;
    const failure = callFailure(exchange);
    if (exchange.response === null && (exchange.post.status ?? 500) < 300)
      return {
        ...untried,
        objection: `it gave no answer within ${options.timeoutMs / 1000} s (--timeout waits longer)`,
      };
    if (failure !== null) return { ...untried, objection: `it failed when it was tried (${failure})` };
    echoes &&= resultText(exchange.response!['result']) === args['message'];
    times.push(exchange.responseNs! - exchange.post.sentNs);
  }
  progress.drafted += JSON.stringify(values).length;
  return { ...untried, objection: null, bestNs: Math.min(...times), echoes };
}

function objectionTo(
  tool: ProbedTool,
  values: JsonValue,
  progress: Progress,
  { allowDestructive }: SurveyOptions,
): string | null {
  const { tried } = progress;
  if (tried.some((other) => other.tool.name === tool.name)) return 'another tool has the same name';
  if (!allowDestructive) {
    if (tool.risk === 'destructive') return 'its annotations call it destructive';
    if (tool.risk === 'by-name') return 'by its name it changes things, and nothing says that it does not';
    if (tool.annotations?.openWorldHint === true)
      return 'its annotations say that it reaches out into the world';
  }
  const away = addressesIn(values).find((url) => !isLoopback(url));
  if (away !== undefined) return `it would be made to fetch ${cut(away, longestShown)} again and again`;
  return whyNoMore(progress, JSON.stringify(values).length);
}

function whyNoMore({ tried, ...spent }: Progress, characters: number): string | null {
  if (tried.filter(({ bestNs }) => bestNs !== null).length >= mostWorking || spent.attempts >= mostTried)
    return 'it was not tried: there are many before it';
  if (spent.unanswered >= mostUnanswered)
    return `it was not tried: ${mostUnanswered} before it gave no answer`;
  if (nowNs() >= spent.deadlineNs) return 'it was not tried: those before it took too long';
  if (spent.drafted + characters > mostDrafted)
    return 'it was not tried: the arguments of those before it fill the scenario';
  return null;
}

function addressesIn(value: JsonValue): string[] {
  if (typeof value === 'string') return value.match(/\bhttps?:\/\/[^\s"'<>]+/g) ?? [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => addressesIn(item as JsonValue));
}
