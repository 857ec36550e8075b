import { ExitCode, Failure } from '../failure.js';
import type { JsonValue } from '../scenario/plan.js';
import { rankTools, type ToolWish } from './choose-tool.js';
import { callFailure, type Exchange, type ProbeClient, withoutContents } from './exchange.js';
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
  const candidates = rankTools(tools, wish).filter((tool) => canBeCalled(tool, wish));
  const passedOver: { tool: string; failure: string }[] = [];
  const exchanges: Exchange[] = [];
  for (const tool of candidates.slice(0, mostTried)) {
    const args = wish.arguments ?? sampleArguments(tool.inputSchema, { varied: false }).values;
    const call = (): Promise<Exchange> =>
      client.request('tools/call', { name: tool.name, [client.argumentsKey]: args });
    const first = timed(await call());
    exchanges.push(first.exchange);
    const { failure } = first.sample;
    const isSilent = first.exchange.response === null;
    if (failure !== null && !isSilent && wish.tool === undefined) {
      passedOver.push({ tool: tool.name, failure });
      continue;
    }
    // The first call of a session pays for what later ones find ready: it is not among the ten.
    const rest = isSilent ? [] : await repeat(wish.count, call);
    exchanges.push(...rest.map(({ exchange }) => exchange));
    return { calls: summary(tool, args, wish, isSilent ? [first] : rest, passedOver), exchanges };
  }
  const pings = await repeat(wish.count, () => client.request('ping', {}));
  exchanges.push(...pings.map(({ exchange }) => exchange));
  return { calls: summary(null, {}, wish, pings, passedOver), exchanges };
}

function canBeCalled({ name, unfit }: ProbedTool, wish: CallWish): boolean {
  if (unfit === null || wish.arguments !== undefined) return true;
  if (wish.tool === undefined) return false;
  throw new Failure(
    `--tool ${name}: no arguments can be made up for it (${unfit}); say with --arguments what to send`,
    ExitCode.usage,
  );
}

/** A call that was made: what it took, and what is kept of it. */
interface TimedExchange {
  readonly exchange: Exchange;
  readonly sample: CallSample;
}

function timed(exchange: Exchange): TimedExchange {
  return { exchange: withoutContents(exchange), sample: sampleOf(exchange) };
}

// One after the other; ends with the first that gets no answer, since the next would only wait as long.
async function repeat(count: number, send: () => Promise<Exchange>): Promise<TimedExchange[]> {
  const done: TimedExchange[] = [];
  while (done.length < count) {
    const each = timed(await send());
    done.push(each);
    if (each.exchange.response === null) break;
  }
  return done;
}

function summary(
  tool: ProbedTool | null,
  args: Readonly<Record<string, JsonValue>>,
  wish: CallWish,
  timedCalls: readonly TimedExchange[],
  passedOver: readonly { tool: string; failure: string }[],
): TimedCalls {
  const samples = timedCalls.map(({ sample }) => sample);
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
