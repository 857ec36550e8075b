import { type Found, must, type Observed, transport } from './departure.js';
import type { Exchange } from './exchange.js';
import type { Robustness } from './robustness.js';
import type { PostAnswer } from './observed-posts.js';

/** What responses were like. */
export function aboutResponses({ exchanges, session }: Observed): Found {
  const found: Found = [];
  const odd = exchanges.find(({ eventName }) => eventName !== null && eventName !== 'message');
  if (odd !== undefined)
    found.push(
      must(
        'response-event',
        `server messages come as \`message\` events (${transport})`,
        `\`${odd.eventName || 'no name'}\``,
      ),
    );
  const twice = exchanges.filter(({ cameTwice }) => cameTwice).length;
  const inPost = exchanges.filter(({ via }) => via === 'post').length;
  const rule = `responses come on the event stream, once (${transport})`;
  if (twice > 0) found.push(must('response-twice', rule, `${twice} also stood in the body of their POST`));
  if (inPost > 0) found.push(must('response-in-post', rule, `${inPost} came in the body of their POST only`));
  const coerced = exchanges.filter(({ coercedId }) => coercedId).length;
  if (coerced > 0)
    found.push(
      must(
        'coerced-id',
        'the id comes back as it was sent (JSON-RPC 2.0, 5)',
        `${coerced} came back as another type`,
      ),
    );
  const both = exchanges.filter(
    ({ response }) => response !== null && 'result' in response && 'error' in response,
  );
  if (both.length > 0)
    found.push(
      must(
        'result-and-error',
        'a response has either result or error (JSON-RPC 2.0, 5)',
        `${both.length} had both`,
      ),
    );
  const calls = exchanges.filter(({ method }) => method === 'tools/call');
  const silent = calls.filter(
    ({ response, post }) => response === null && post.status !== null && post.status < 300,
  );
  if (silent.length > 0)
    found.push(
      must(
        'no-response',
        'every request gets a response (JSON-RPC 2.0, 4)',
        `${silent.length} of ${calls.length} calls were accepted and not answered in time`,
      ),
    );
  if (session.strays.withoutVersion > 0)
    found.push(
      must(
        'no-version',
        'every message says "jsonrpc": "2.0" (JSON-RPC 2.0, 4)',
        `${session.strays.withoutVersion} did not`,
      ),
    );
  return found;
}

/** How POSTs were accepted. */
export function aboutPosts({ exchanges, session }: Observed): Found {
  const accepted = [...exchanges.map(({ post }) => post), session.initialized].filter(
    (post): post is PostAnswer => post !== null && post.status !== null && post.status < 300,
  );
  const other = accepted.find(({ status }) => status !== 202);
  if (other === undefined) return [];
  return [
    {
      code: 'post-status',
      weight: 'custom',
      rule: 'a POST that is taken is answered 202 Accepted (all SDKs but one)',
      found: String(other.status),
    },
  ];
}

/** What came unasked. */
export function aboutStrays({ session, beside, overheard }: Observed): Found {
  const found: Found = [];
  const { strays } = session;
  const both = [strays, ...(beside === null ? [] : [beside.strays])];
  const nulls = both.flatMap(({ nullIdErrors }) => nullIdErrors);
  if (nulls.length > 0)
    found.push(
      must(
        'notification-answered',
        'a notification is not answered (JSON-RPC 2.0, 4.1)',
        `an error with id null: ${nulls[0]}`,
      ),
    );
  const malformed = both.flatMap((each) => each.malformed);
  if (malformed.length > 0)
    found.push(must('malformed-event', `an event holds one JSON-RPC message (${transport})`, malformed[0]!));
  if (strays.duplicate > 0)
    found.push(
      must(
        'duplicate',
        'a request is answered once (JSON-RPC 2.0, 4)',
        `${strays.duplicate} responses came again`,
      ),
    );
  const rule = `a response goes to the stream of the session that asked (${transport})`;
  if (overheard > 0) found.push(must('broadcast', rule, `${overheard} of them also came to another session`));
  else if (strays.foreign > 0)
    found.push(must('foreign-id', rule, `${strays.foreign} with ids that were never sent`));
  const early = strays.serverRequests.filter(
    ({ method, atNs }) => method !== 'ping' && atNs < (session.initialized?.ackNs ?? 0),
  );
  if (early.length > 0)
    found.push({
      code: 'early-request',
      weight: 'should',
      rule: 'before notifications/initialized a server sends no requests but ping (lifecycle)',
      found: [...new Set(early.map(({ method }) => method))].join(', '),
    });
  return found;
}

/** How wrong questions were answered. */
export function aboutRobustness(robustness: Robustness): Found {
  const found: Found = [];
  const { ping, unknownMethod, unknownTool, malformedJson, unknownSession } = robustness;
  const pingProblem = ping === null ? null : problemWith(ping);
  if (pingProblem !== null)
    found.push(must('ping', 'ping is answered with an empty result (ping)', pingProblem));
  const code = errorCode(unknownMethod);
  if (unknownMethod !== null && code !== -32601)
    found.push(
      must(
        'unknown-method',
        'an unknown method gets error −32601 (JSON-RPC 2.0, 5.1)',
        describe(unknownMethod),
      ),
    );
  if (unknownTool !== null && errorCode(unknownTool) === null)
    found.push({
      code: 'unknown-tool',
      weight: 'should',
      rule: 'an unknown tool gets a JSON-RPC error (tools, error handling)',
      found: describe(unknownTool),
    });
  found.push(
    ...badPost('malformed-json', 'a POST that is not JSON is refused with 400', malformedJson),
    ...badPost('unknown-session', 'a POST to an unknown session is refused with 4xx', unknownSession),
  );
  return found;
}

function badPost(code: string, rule: string, post: PostAnswer | null): Found {
  if (post === null || (post.status !== null && post.status >= 400 && post.status < 500)) return [];
  return [
    {
      code,
      weight: 'custom',
      rule,
      found: post.status === null ? (post.failure ?? 'no answer') : String(post.status),
    },
  ];
}

function problemWith(exchange: Exchange): string | null {
  return exchange.response !== null && 'result' in exchange.response ? null : describe(exchange);
}

function errorCode(exchange: Exchange | null): number | null {
  const { error } = (exchange?.response ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === 'number' ? error.code : null;
}

function describe({ response, post }: Exchange): string {
  if (response === null) {
    if (post.status === null) return post.failure ?? 'no answer';
    return post.status < 300 ? `${post.status}, and then nothing` : `HTTP ${post.status}`;
  }
  const { error, result } = response as { error?: { code?: unknown }; result?: { isError?: unknown } };
  if (error !== undefined)
    return `error ${typeof error?.code === 'number' ? error.code : 'without a number'}`;
  return result?.isError === true ? 'a result with isError' : 'a result';
}
