import { cut, longestName } from '../text/cut.js';
import { oneLine } from '../text/one-line.js';
import { adviseHttp } from '../transport/http/advise-http.js';
import { plainTlsError } from '../transport/http/plain-tls-error.js';
import type { Attempt } from './examine.js';

/** What was asked at one address, in vain. */
export interface Tried {
  readonly url: string;
  readonly attempts: readonly Attempt[];
}

/** Why nothing was found. */
export interface NotSpoken {
  /** In one line, with what helps. */
  readonly reason: string;
  /** It answered, and more time will not change what. */
  readonly refused: boolean;
  /** What it speaks in place of what is named; null where nothing is known. */
  readonly advice: string | null;
}

// 404, 429 and 5xx are what servers and proxies answer while they start.
const refusals: readonly number[] = [400, 401, 403, 405, 406, 407, 410, 415, 426];
const longestWords = 160;

/** Puts into words what was seen at a target, at whichever of its addresses said most. */
export function describeFailure(url: string, tried: readonly Tried[], limitMs: number): NotSpoken {
  const [most = { url, attempts: [] }] = tried.toSorted((a, b) => weightOf(b) - weightOf(a));
  const { attempts } = most;
  const statuses = attempts.flatMap(({ answer }) => answer.status ?? []);
  const stream = attempts.findLast(({ question }) => question === 'GET') ?? attempts.at(-1);
  const others = attempts
    .filter((attempt) => attempt !== stream && attempt.question !== 'GET' && !isTls(attempt))
    .map((attempt) => `${attempt.question}: ${shortly(attempt)}`);
  const main = stream === undefined ? 'there was no time to ask' : inFull(stream, limitMs);
  const beside = [
    ...(tried.length > 1 ? [`tried ${tried.map((each) => new URL(each.url).pathname).join(', ')}`] : []),
    ...(statuses.length === 0 ? [] : others),
  ];
  return {
    reason: oneLine(
      `no session with ${tried.length > 1 ? most.url : url}: ${main}${beside.length === 0 ? '' : ` (${beside.join(', ')})`}${adviceFor(attempts)}`,
    ),
    refused: statuses.length > 0 && statuses.every((status) => refusals.includes(status)),
    advice: null,
  };
}

function adviceFor(attempts: readonly Attempt[]): string {
  const failures = attempts.flatMap(({ answer }) => answer.failure ?? []);
  const statuses = attempts
    .flatMap(({ answer }) => answer.status ?? [])
    .toSorted((a, b) => weightOfStatus(b) - weightOfStatus(a));
  const known = [
    ...failures.filter(({ kind }) => kind === 'tls').map(({ kind, message }) => adviseHttp(kind, message)),
    ...statuses.map((status) => adviseHttp(`http ${status}`, '')),
    ...failures.map(({ kind, message }) => adviseHttp(kind, message)),
  ].find((text) => text !== '');
  if (known !== undefined) return known;
  if (statuses.includes(429)) return '. It wants fewer requests: try again later';
  if (statuses.some(isBroken)) return '. Is it running, or only the proxy before it?';
  if (statuses.includes(404)) return '. Is the path right? Many servers use /mcp or /sse';
  return '';
}

function inFull(attempt: Attempt, limitMs: number): string {
  const { question, answer } = attempt;
  const { status, headers, note, failure } = answer;
  if (isTls(attempt)) return plainTlsError(failure!.message);
  if (status === null && failure?.kind === 'timeout')
    return `it took the connection and answered nothing within ${limitMs / 1000} s`;
  if (status === null) return failure?.message ?? 'it said nothing';
  if (question !== 'GET') return `${question} was answered ${shortly(attempt)}`;
  if (status !== 200) return `the event stream was answered ${status}${note}`;
  const type = cut(headers?.contentType ?? '', longestName);
  if (type !== 'text/event-stream') return `the answer is ${type || 'of no type'}, not text/event-stream`;
  if (note !== '') return `the event stream was answered ${status}${note}: is there a proxy in between?`;
  if (failure?.kind === 'timeout') return `no usable event within ${limitMs / 1000} s`;
  return `the event stream said nothing of use: ${failure?.message ?? 'it ended'}`;
}

/** The status, and what an error in the body says. */
function shortly({ answer: { status, note, found, failure } }: Attempt): string {
  if (status === null) return failure?.message ?? 'no answer';
  const error = found?.kind === 'response' ? found.response['error'] : undefined;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'number') return `${status}${note}`;
  const words = typeof message === 'string' ? ` ${cut(message, longestWords)}` : '';
  return `${status}, error ${code}${words}`;
}

// Who is asked for a token is nearer than who is told of a wrong path.
function weightOf({ attempts }: Tried): number {
  return Math.max(0, ...attempts.map(({ answer: { status } }) => weightOfStatus(status)));
}

function weightOfStatus(status: number | null): number {
  if (status === null || status === 404) return 1;
  if (isDenial(status)) return 5;
  if (isBroken(status)) return 4;
  return status === 405 ? 2 : 3;
}

function isDenial(status: number | null): boolean {
  return status === 401 || status === 403;
}

function isBroken(status: number): boolean {
  return status >= 500 && status <= 599;
}

function isTls({ answer }: Attempt): boolean {
  return answer.failure?.kind === 'tls';
}
