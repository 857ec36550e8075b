import type { TransportKind } from '../transport/transport-kind.js';
import { transportKinds } from '../transport/transport-kinds.js';
import { plainWords } from '../transport/transport-words.js';
import type { TargetInfo } from './result.js';

/** The transport that a run was made over. */
export function transportOf({ transport }: Pick<TargetInfo, 'transport'>): TransportKind {
  const known: Partial<Record<string, TransportKind>> = transportKinds;
  return known[transport] ?? unknownKind(transport);
}

// Of a newer version's result: whatever any transport has may be in it.
function unknownKind(name: string): TransportKind {
  const kinds: readonly TransportKind[] = Object.values(transportKinds);
  const all = <Item>(of: (kind: TransportKind) => readonly Item[]): Item[] => [...new Set(kinds.flatMap(of))];
  return {
    name,
    title: name,
    steps: all(({ steps }) => steps),
    beside: all(({ beside }) => beside),
    marks: all(({ marks }) => marks),
    words: plainWords,
  };
}
