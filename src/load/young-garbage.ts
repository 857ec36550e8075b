import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * A way to collect what has lately become garbage, some milliseconds' work, at a moment of our own choosing: otherwise it comes while a burst is
 * written, which makes garbage the fastest. null where this Node has none.
 */
export function youngGarbage(): (() => void) | null {
  try {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
    setFlagsFromString('--no-expose-gc');
    return () => collect({ type: 'minor' });
  } catch {
    return null;
  }
}
