import type { RunResult } from '../../result/result.js';

/**
 * Runs again, up to so many times, as long as `why` says that the generator spoilt what was wanted; what decides is that alone, never how fast
 * or slow the server was. The run that is kept says how many were thrown away.
 */
export async function rerunDisturbed<Ran extends { readonly result: RunResult }>(
  times: number,
  runOnce: () => Promise<Ran>,
  why: (result: RunResult) => string | null,
  say: (text: string) => void,
): Promise<Ran> {
  const thrownAway: string[] = [];
  for (;;) {
    const ran = await runOnce();
    const reason = why(ran.result);
    if (reason === null || thrownAway.length === times) return noted(ran, thrownAway, reason);
    thrownAway.push(reason);
    say(`disturbed, again (${thrownAway.length} of ${times}): ${reason}`);
  }
}

function noted<Ran extends { readonly result: RunResult }>(
  ran: Ran,
  thrownAway: readonly string[],
  still: string | null,
): Ran {
  const count = thrownAway.length;
  if (count === 0) return ran;
  const runs = count === 1 ? 'a run before this one was' : `${count} runs before this one were`;
  const note = {
    code: 'rerun-disturbed',
    message: `${runs} thrown away as disturbed (--rerun-disturbed), whatever the figures were: ${thrownAway[0]}${still === null ? '' : ' This one is disturbed, too.'}`,
  };
  const { validity } = ran.result;
  return {
    ...ran,
    result: { ...ran.result, validity: { ...validity, warnings: [...validity.warnings, note] } },
  };
}
