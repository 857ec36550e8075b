import { setTimeout as delay } from 'node:timers/promises';
import { askTarget } from '../detect/detect-target.js';
import type { Spoken } from '../detect/spoken.js';
import { Failure } from '../failure.js';
import type { TargetPlan } from '../scenario/plan.js';

const pauseMs = 50;
const answerLimitMs = 5000;
// Once may be a server that has not read its configuration yet.
const refusalsToBelieve = 3;

interface Answer {
  readonly reason: string;
  readonly refused: boolean;
}

/**
 * Waits until the target speaks what it is to speak, or anything where it names nothing; what that is, else what it did last in a few
 * words. Three refusals in a row, such as one for want of a token, end the waiting; `givenUp` does so, too, and has to say why.
 */
export async function awaitReady(
  target: TargetPlan,
  limitMs: number,
  givenUp: () => string | null,
): Promise<Spoken | string> {
  let last = 'it was not asked';
  let refusedInARow = 0;
  for (const end = performance.now() + limitMs; performance.now() < end; await delay(pauseMs)) {
    const why = givenUp();
    if (why !== null) return why;
    const answer = await askWithin(target, Math.min(answerLimitMs, end - performance.now()), givenUp);
    // Whoever answers after the end of what we started is somebody else.
    if (!('reason' in answer)) return givenUp() ?? answer;
    refusedInARow = answer.refused ? refusedInARow + 1 : 0;
    if (refusedInARow === refusalsToBelieve) return answer.reason;
    last = answer.reason;
  }
  return givenUp() ?? `not ready within ${limitMs / 1000} s: ${last}`;
}

async function askWithin(
  target: TargetPlan,
  limitMs: number,
  givenUp: () => string | null,
): Promise<Spoken | Answer> {
  const abort = new AbortController();
  const watch = setInterval(() => {
    if (givenUp() !== null) abort.abort();
  }, pauseMs);
  try {
    return await askTarget(target, { connectMs: limitMs, answersMs: limitMs }, abort.signal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refused = /connection refused/.test(error.message);
    return { reason: refused ? 'nobody listens at its URL' : error.message, refused: false };
  } finally {
    clearInterval(watch);
  }
}
