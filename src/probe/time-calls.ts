import type { JsonValue } from '../scenario/plan.js';
import { rankTools, type ToolWish } from './choose-tool.js';
import { callFailure, type Exchange, type ProbeClient } from './exchange.js';
import type { ProbedTool } from './probed-tool.js';
import { sampleArguments } from './sample-arguments.js';

/** One timed call. */
export interface CallSample {
  /** POST sent → response; null where none came. */
  readonly responseNs: number | null;
  /** POST sent → 2xx. */
  readonly ackNs: number | null;
  /** 2xx → response; negative where the response came first. */
  readonly ackToEventNs: number | null;
  readonly failure: string | null;
}

/** The timed calls of a probe. */
export interface TimedCalls {
  /** null where there was no tool to call and `ping` was sent instead. */
  readonly tool: string | null;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  /** What made it the one. */
  readonly why: string;
  readonly samples: readonly CallSample[];
  /** How many responses came before the 2xx of their own POST. */
  readonly eventBefore202: number;
  /** Tools that were tried once before and failed. */
  readonly passedOver: readonly { tool: string; failure: string }[];
}

export interface CallWish extends ToolWish {
  readonly arguments?: Readonly<Record<string, JsonValue>> | undefined;
  readonly count: number;
}

const mostTried = 4;

/** Makes so many calls of the cheapest safe tool that works, one after the other; pings where there is none. */
export async function timeCalls(
  client: ProbeClient,
  tools: readonly ProbedTool[],
  wish: CallWish,
): Promise<{ calls: TimedCalls; exchanges: Exchange[] }> {
  const candidates = rankTools(tools, wish);
  const passedOver: { tool: string; failure: string }[] = [];
  const exchanges: Exchange[] = [];
  for (const tool of candidates.slice(0, mostTried)) {
    const args = wish.arguments ?? sampleArguments(tool.inputSchema, { varied: false }).values;
    const first = await client.request('tools/call', { name: tool.name, [client.argumentsKey]: args });
    exchanges.push(first);
    const failure = callFailure(first);
    if (failure !== null && first.response !== null && wish.tool === undefined) {
      passedOver.push({ tool: tool.name, failure });
      continue;
    }
    if (first.response === null) return { calls: summary(tool, args, wish, [first], passedOver), exchanges };
    // The first call of a session pays for what later ones find ready: it is not among the ten.
    const timed = await repeat(wish.count, () =>
      client.request('tools/call', { name: tool.name, [client.argumentsKey]: args }),
    );
    exchanges.push(...timed);
    return { calls: summary(tool, args, wish, timed, passedOver), exchanges };
  }
  const pings = await repeat(wish.count, () => client.request('ping', {}));
  return { calls: summary(null, {}, wish, pings, passedOver), exchanges: [...exchanges, ...pings] };
}

// One after the other; ends with the first that gets no answer, since the next would only wait as long.
async function repeat(count: number, send: () => Promise<Exchange>): Promise<Exchange[]> {
  const done: Exchange[] = [];
  while (done.length < count) {
    const exchange = await send();
    done.push(exchange);
    if (exchange.response === null) break;
  }
  return done;
}

function summary(
  tool: ProbedTool | null,
  args: Readonly<Record<string, JsonValue>>,
  wish: CallWish,
  exchanges: readonly Exchange[],
  passedOver: readonly { tool: string; failure: string }[],
): TimedCalls {
  const samples = exchanges.map(sampleOf);
  return {
    tool: tool?.name ?? null,
    arguments: args,
    why:
      tool === null
        ? 'no tool is safe to call unasked; name one with --tool, and with --allow-destructive where it is marked so'
        : whyOf(tool, wish),
    samples,
    eventBefore202: samples.filter(({ ackToEventNs }) => ackToEventNs !== null && ackToEventNs < 0).length,
    passedOver,
  };
}

function sampleOf(exchange: Exchange): CallSample {
  const { post, responseNs, via } = exchange;
  const accepted = post.ackNs !== null && post.status !== null && post.status < 300;
  return {
    responseNs: responseNs === null ? null : responseNs - post.sentNs,
    ackNs: accepted ? post.ackNs! - post.sentNs : null,
    ackToEventNs: accepted && responseNs !== null && via === 'event' ? responseNs - post.ackNs! : null,
    failure: callFailure(exchange),
  };
}

function whyOf(tool: ProbedTool, wish: CallWish): string {
  if (wish.tool !== undefined) return 'asked for';
  if (tool.annotations?.readOnlyHint === true) return 'says that it only reads';
  if (tool.annotations?.destructiveHint === false) return 'says that it destroys nothing';
  return tool.risk === 'unmarked' ? 'not marked as destructive, and its name sounds harmless' : 'asked for';
}
