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

/** How the server speaks, in a few words: its dialect over HTTP+SSE, and otherwise which revision, and in what bodies. */
export function speechOf({ transport, dialect, era, protocolVersion, bodies }: TargetInfo): string {
  if (transport === 'sse') return dialect;
  const names = bodies.map((body) => ({ json: 'JSON', sse: 'events' })[body]);
  return [
    protocolVersion ?? '',
    era === 'stateless' ? 'stateless' : '',
    names.length === 0 ? '' : `${names.join(' and ')} in replies`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
