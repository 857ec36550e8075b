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
    hasDialects: false,
    steps: all(({ steps }) => steps),
    beside: all(({ beside }) => beside),
    marks: all(({ marks }) => marks),
    words: plainWords,
  };
}

/** What servers differ in over the run's transport, and what this one spoke; null where that is not known. */
export function varietyOf(target: Pick<TargetInfo, 'transport' | 'dialect' | 'protocolVersion'>): {
  readonly name: 'dialect' | 'protocol';
  readonly value: string | null;
} {
  return transportOf(target).hasDialects
    ? { name: 'dialect', value: target.dialect }
    : { name: 'protocol', value: target.protocolVersion };
}

/** How the server speaks, in a few words: its dialect where servers have dialects, and otherwise which revision, and in what bodies. */
export function speechOf(target: TargetInfo): string {
  const { dialect, era, protocolVersion, bodies } = target;
  if (transportOf(target).hasDialects) return dialect;
  const names = bodies.map((body) => ({ json: 'JSON', sse: 'events' })[body]);
  return [
    protocolVersion ?? '',
    era === 'stateless' ? 'stateless' : '',
    names.length === 0 ? '' : `${names.join(' and ')} in replies`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
