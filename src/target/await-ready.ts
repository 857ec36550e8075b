import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { TargetPlan } from '../scenario/plan.js';

const pauseMs = 50;
const answerLimitMs = 5000;

/**
 * Waits until the target's event stream answers a GET with 200 and `text/event-stream`; null then, else what it did last in a few
 * words. `givenUp` ends the waiting early, and has to say why.
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
  try {
    for (const end = performance.now() + limitMs; performance.now() < end; await delay(pauseMs)) {
      const why = givenUp();
      if (why !== null) return why;
      const answer = await ask(target, agent, Math.min(answerLimitMs, end - performance.now()), givenUp);
      // Whoever answers after the end of what we started is somebody else.
      if (answer === null) return givenUp();
      last = answer;
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
): Promise<string | null> {
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
    if (statusCode !== 200) return `GET ${new URL(target.url).pathname} answered ${statusCode}`;
    return type === 'text/event-stream' ? null : `its answer was ${type}, not an event stream`;
  } catch (error) {
    if (abort.signal.aborted) return 'it accepted no connection, or never answered';
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ECONNREFUSED' ? 'nobody listens at its URL' : message;
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
  }
}
