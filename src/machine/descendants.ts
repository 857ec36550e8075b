import { readdirSync, readFileSync } from 'node:fs';

const most = 1000;

/** The processes that came from this one and whose parents live, as the system lists them now; none where it does not. */
export function descendantsOf(pid: number): number[] {
  const found: number[] = [];
  for (let parent: number | undefined = pid, at = 0; parent !== undefined && found.length < most; at++) {
    found.push(...childrenOf(parent));
    parent = found[at];
  }
  return found;
}

// Each thread has children of its own.
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
