import type { PostAnswer } from './observed-posts.js';
import type { ReadMessage } from './read-messages.js';

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
}

/** Someone who can ask a server something. */
export interface ProbeClient {
  /** What `tools/call` calls its arguments. */
  readonly argumentsKey: 'arguments' | 'kwargs';
  request(method: string, params: object): Promise<Exchange>;
}

/** The error of an exchange as `code message`, or why there was no response; null where it has a result. */
export function rpcFailure({ response, post }: Exchange): string | null {
  if (response === null) {
    if (post.status !== null && (post.status < 200 || post.status > 299)) return `HTTP ${post.status}`;
    return post.status === null ? (post.failure ?? 'no answer') : 'accepted, and not answered in time';
  }
  if (response['error'] === undefined) return null;
  const { code, message } = (response['error'] ?? {}) as { code?: unknown; message?: unknown };
  return `error ${String(code)}${typeof message === 'string' ? ` ${message}` : ''}`;
}

/** As rpcFailure, and a failed tool is a failure too. */
export function callFailure(exchange: Exchange): string | null {
  const failure = rpcFailure(exchange);
  if (failure !== null) return failure;
  const result = exchange.response!['result'] as { isError?: unknown; content?: unknown } | null | undefined;
  if (typeof result !== 'object' || result === null || result.isError !== true) return null;
  const text = resultText(result);
  return `the tool failed${text === null ? '' : `: ${text}`}`;
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
  };
}

/** What came instead of a result, in a few words. */
export function describeRefusal({ response, post }: Exchange): string {
  if (response !== null) return JSON.stringify(response).slice(0, 200);
  if (post.status !== null && post.status > 299)
    return `HTTP ${post.status} ${post.body.slice(0, 160)}`.trim();
  return post.failure ?? `${post.status}, and then with nothing`;
}
