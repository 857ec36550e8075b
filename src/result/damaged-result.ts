import { z } from 'zod';
import type { Failure } from '../failure.js';
import { decodeV2 } from '../stats/hdr.js';
import { damaged, readResult, resultsRead } from './read-result.js';
import { resultFile } from './result-json-schema.js';
import type { RunResult } from './result.js';

// What a scenario looks like inside is nobody's business but ours, and reports look at this much of it.
const scenario = z.looseObject({
  sessions: z.looseObject({ count: z.number() }),
  posts: z.looseObject({ mode: z.string() }),
  target: z.looseObject({}),
  phases: z.array(z.looseObject({ name: z.string(), load: z.looseObject({ model: z.string() }) })),
});

/**
 * What is wrong with the first damaged one of the results that have been read, as a Failure; null where all are whole. It takes its time: for
 * when something has failed, or would fail late.
 */
export function damagedResult(): Failure | null {
  for (const path of resultsRead()) {
    const damage = damageOf(readResult(path));
    if (damage !== null) return damaged(path, damage);
  }
  return null;
}

function damageOf(result: RunResult): string | null {
  const { error } = resultFile.extend({ scenario }).safeParse(result);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) return `"${issue.path.join('.')}" is wrong (${issue.message})`;
  const all = [result, ...result.phases, ...result.intervals].flatMap(({ metrics }) =>
    Object.entries(metrics),
  );
  const unreadable = all.find(([, { hdr, leastHdr }]) => !(isHistogram(hdr) && isHistogram(leastHdr)));
  return unreadable === undefined ? null : `the histogram of "${unreadable[0]}" cannot be read`;
}

function isHistogram(text: string | undefined): boolean {
  try {
    if (text !== undefined) decodeV2(text);
    return true;
  } catch {
    return false;
  }
}
