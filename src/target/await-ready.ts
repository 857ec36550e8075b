import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { TargetPlan } from '../scenario/plan.js';

const pauseMs = 50;
const answerLimitMs = 5000;
// 404, 429 and 5xx are what servers and proxies answer while they start: those are waited out.
const refusals: readonly number[] = [400, 401, 403, 405, 406, 407, 410, 415, 426];
// Once may be a server that has not read its configuration yet.
const refusalsToBelieve = 3;

interface Answer {
  readonly text: string;
  /** It answered, and more time will not change what. */
  readonly refused: boolean;
}

/**
 * Waits until the target's event stream answers a GET with 200 and `text/event-stream`; null then, else what it did last in a few
 * words. Three refusals in a row, such as 401, end the waiting; `givenUp` does so, too, and has to say why.
 */
export async function awaitReady(
  target: TargetPlan,
  limitMs: number,
  givenUp: () => string | null,
): Promise<string | null> {
  const { tls, unixSocket } = target;
  const agent = new Agent({
    connect: {
      timeout: answerLimitMs,
      rejectUnauthorized: tls.verify,
      ...(tls.ca === null ? {} : { ca: tls.ca }),
      ...(tls.cert === null ? {} : { cert: tls.cert }),
      ...(tls.key === null ? {} : { key: tls.key }),
      ...(unixSocket === null ? {} : { socketPath: unixSocket }),
    },
  });
  let last = 'it was not asked';
  let refusedInARow = 0;
  try {
    for (const end = performance.now() + limitMs; performance.now() < end; await delay(pauseMs)) {
      const why = givenUp();
      if (why !== null) return why;
      const answer = await ask(target, agent, Math.min(answerLimitMs, end - performance.now()), givenUp);
      // Whoever answers after the end of what we started is somebody else.
      if (answer === null) return givenUp();
      refusedInARow = answer.refused ? refusedInARow + 1 : 0;
      if (refusedInARow === refusalsToBelieve) return answer.text;
      last = answer.text;
    }
    return givenUp() ?? `not ready within ${limitMs / 1000} s: ${last}`;
  } finally {
    await agent.destroy();
  }
}

/** null where the stream is there. */
async function ask(
  target: TargetPlan,
  agent: Agent,
  limitMs: number,
  givenUp: () => string | null,
): Promise<Answer | null> {
  const wait = (text: string): Answer => ({ text, refused: false });
  const abort = new AbortController();
  const watch = setInterval(() => {
    if (givenUp() !== null) abort.abort();
  }, pauseMs);
  const timer = setTimeout(() => abort.abort(), Math.max(1, limitMs));
  try {
    const { statusCode, headers, body } = await request(target.url.replaceAll('{session}', '0'), {
      dispatcher: agent,
      headers: { accept: 'text/event-stream', 'cache-control': 'no-cache', ...target.headers },
      signal: abort.signal,
    });
    body.on('error', () => {});
    body.destroy();
    const type = String(headers['content-type'] ?? 'no content type').split(';')[0]!;
    if (statusCode !== 200)
      return {
        text: `GET ${new URL(target.url).pathname} answered ${statusCode}${adviceOn(statusCode)}`,
        refused: refusals.includes(statusCode),
      };
    return type === 'text/event-stream' ? null : wait(`its answer was ${type}, not an event stream`);
  } catch (error) {
    if (abort.signal.aborted) return wait('it accepted no connection, or never answered');
    const { code, message } = error as NodeJS.ErrnoException;
    return wait(code === 'ECONNREFUSED' ? 'nobody listens at its URL' : message);
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
  }
}

function adviceOn(statusCode: number): string {
  if (statusCode === 401 || statusCode === 403) return ': give it a token or headers';
  if (statusCode === 405) return ': this may be a Streamable HTTP server';
  return '';
}
