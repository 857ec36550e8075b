import { setTimeout as delay } from 'node:timers/promises';
import type { TargetPlan } from '../scenario/plan.js';
import type { NotReady } from '../transport/transport-kind.js';
import { transportKinds } from '../transport/transport-kinds.js';

const pauseMs = 50;
const answerLimitMs = 5000;
// Once may be a server that has not read its configuration yet.
const refusalsToBelieve = 3;

/**
 * Waits until the target speaks its transport; null then, else what it did last in a few words. Three refusals in a row, such as
 * one for want of a token, end the waiting; `givenUp` does so, too, and has to say why.
 */
export async function awaitReady(
  target: TargetPlan,
  limitMs: number,
  givenUp: () => string | null,
): Promise<string | null> {
  const { transport } = target;
  const { askReady } = await transportKinds[transport === 'auto' ? 'sse' : transport].load();
  let last = 'it was not asked';
  let refusedInARow = 0;
  for (const end = performance.now() + limitMs; performance.now() < end; await delay(pauseMs)) {
    const why = givenUp();
    if (why !== null) return why;
    const ask = (signal: AbortSignal): Promise<NotReady | null> => askReady(target, signal);
    const answer = await within(ask, Math.min(answerLimitMs, end - performance.now()), givenUp);
    // Whoever answers after the end of what we started is somebody else.
    if (answer === null) return givenUp();
    refusedInARow = answer.refused ? refusedInARow + 1 : 0;
    if (refusedInARow === refusalsToBelieve) return answer.text;
    last = answer.text;
  }
  return givenUp() ?? `not ready within ${limitMs / 1000} s: ${last}`;
}

async function within<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  limitMs: number,
  givenUp: () => string | null,
): Promise<T> {
  const abort = new AbortController();
  const watch = setInterval(() => {
    if (givenUp() !== null) abort.abort();
  }, pauseMs);
  const timer = setTimeout(() => abort.abort(), Math.max(1, limitMs));
  try {
    return await ask(abort.signal);
  } finally {
    clearInterval(watch);
    clearTimeout(timer);
  }
}
