import type { PostAnswer } from './observed-posts.js';
import type { ReadMessage } from '../mcp/read-messages.js';
import { cut } from '../text/cut.js';

// Enough to see what a server means.
const longestFailure = 300;

/** A JSON-RPC response as it came; only its id has been looked at. */
export type RpcResponse = Readonly<Record<string, unknown>>;

/** One request and all that came of it. */
export interface Exchange {
  readonly method: string;
  readonly post: PostAnswer;
  /** null where none came within the time limit. */
  readonly response: RpcResponse | null;
  readonly responseNs: number | null;
  /** Where the response came: as an event, or in the body of the POST. */
  readonly via: 'event' | 'post' | null;
  /** The name of its event; '' for one without a name. */
  readonly eventName: string | null;
  /** It came as an event *and* stood in the POST's body. */
  readonly cameTwice: boolean;
  /** The id came back as another type than it was sent as. */
  readonly coercedId: boolean;
  /** Why the contents of the response were not read; null where they were. */
  readonly unread: string | null;
  /** Of the text that the response stood in. */
  readonly characters: number;
}

/** Someone who can ask a server something. */
export interface ProbeClient {
  /** What `tools/call` calls its arguments. */
  readonly argumentsKey: 'arguments' | 'kwargs';
  request(method: string, params: object): Promise<Exchange>;
}

/** The error of an exchange as `code message`, or why there was no response; null where it has a result. */
export function rpcFailure({ response, post, unread }: Exchange): string | null {
  if (response === null) {
    if (post.status !== null && (post.status < 200 || post.status > 299))
      return `HTTP ${post.status}${post.note}`;
    if (post.status === null) return post.failure ?? 'no answer';
    return post.failure ?? `accepted${post.note}, and not answered in time`;
  }
  if (unread !== null) return `the response was not read: ${unread}`;
  if (response['error'] === undefined) return null;
  const { code, message } = (response['error'] ?? {}) as { code?: unknown; message?: unknown };
  const number = typeof code === 'number' || typeof code === 'string' ? code : typeof code;
  return cut(`error ${number}${typeof message === 'string' ? ` ${message}` : ''}`, longestFailure);
}

/** As rpcFailure, and a failed tool is a failure too. */
export function callFailure(exchange: Exchange): string | null {
  const failure = rpcFailure(exchange);
  if (failure !== null) return failure;
  const result = exchange.response!['result'] as { isError?: unknown; content?: unknown } | null | undefined;
  if (typeof result !== 'object' || result === null || result.isError !== true) return null;
  const text = resultText(result);
  return cut(`the tool failed${text === null ? '' : `: ${text}`}`, longestFailure);
}

/** The text of a tool's result: of its first content, or the bare result of pymcp; null where it is something else. */
export function resultText(result: unknown): string | null {
  if (typeof result === 'string') return result;
  const { content } = (result ?? {}) as { content?: unknown };
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = (first as { text?: unknown } | undefined)?.text;
  return typeof text === 'string' ? text : null;
}

/** A response that came as an event. */
export interface HeardResponse {
  readonly message: ReadMessage;
  readonly name: string;
  readonly atNs: number;
  readonly characters: number;
}

/** Puts together what is known of one request. */
export function exchangeOf(
  method: string,
  post: PostAnswer,
  event: HeardResponse | null,
  inBody: ReadMessage | null,
  stringIds: boolean,
): Exchange {
  const message = event?.message ?? inBody;
  const response: RpcResponse | null = message?.kind === 'response' ? message.body : null;
  return {
    method,
    post,
    response,
    responseNs: event?.atNs ?? (inBody === null ? null : post.ackNs),
    via: event !== null ? 'event' : inBody !== null ? 'post' : null,
    eventName: event?.name ?? null,
    cameTwice: event !== null && inBody !== null,
    coercedId: message?.kind === 'response' && (typeof message.id === 'string') !== stringIds,
    unread: message?.kind === 'response' ? message.unread : null,
    characters: event?.characters ?? post.body.length,
  };
}

/** What came instead of a result, in a few words. */
export function describeRefusal({ response, post, unread }: Exchange): string {
  if (unread !== null) return `with what was not read: ${unread}`;
  if (response !== null) return shownJson(response);
  if (post.status !== null && post.status > 299)
    return `HTTP ${post.status}${post.note} ${post.note === '' ? cut(post.body, 160) : ''}`.trim();
  return post.failure ?? `${post.status}${post.note}, and then with nothing`;
}

/** The exchange without what it carried, to be kept: whatever a server says, a thousand of them take little room. */
export function withoutContents(exchange: Exchange): Exchange {
  const { response, post } = exchange;
  const kept: Record<string, unknown> = {};
  if (response !== null && 'result' in response) kept['result'] = null;
  if (response !== null && 'error' in response) kept['error'] = null;
  return {
    ...exchange,
    eventName: exchange.eventName === null ? null : cut(exchange.eventName, longestFailure),
    response: response === null ? null : kept,
    post: { ...post, body: cut(post.body, longestFailure) },
  };
}

function shownJson(value: unknown): string {
  try {
    return cut(JSON.stringify(value), 200);
  } catch {
    return 'with what is nested too deeply to be shown';
  }
}
