/** One count of the client, and the bounds that the mock's counts, or the client's own, set to it. */
export interface Entry {
  readonly what: string;
  readonly counted: number;
  readonly atLeast: number;
  readonly atMost: number;
  readonly holds: boolean;
}

/** A count that must be this. */
export function exact(what: string, counted: number, truth: number): Entry {
  return within(what, counted, truth, truth);
}

/** A count that must lie between two. */
export function within(what: string, counted: number, atLeast: number, atMost: number): Entry {
  return { what, counted, atLeast, atMost, holds: counted >= atLeast && counted <= atMost };
}

/** All of them together. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
