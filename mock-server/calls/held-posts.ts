import { dialectOf } from '../protocol/sites.js';
import { presetNames, presets } from '../protocol/presets.js';
import { plainWire } from '../protocol/plain-wire.js';
import type { WireOptions } from '../protocol/wire-options.js';

/** The faults that leave a POST unanswered for a while. */
export const holdingFaults = [
  'eventBefore202',
  'ackAfterWork',
  'heldPost',
  'unansweredPost',
  'slowRead',
] as const;

/** The wire options that do so, as one would set them, and how to tell whether they are set. */
const holdingWire: Record<string, (wire: WireOptions) => boolean> = {
  'ack=after-work': ({ ack }) => ack === 'after-work',
  'ack=after-event': ({ ack }) => ack === 'after-event',
  'jsonInPost=true': ({ jsonInPost }) => jsonInPost,
  'methodNotFoundFirst=true': ({ methodNotFoundFirst }) => methodNotFoundFirst,
  'queueFull=block': ({ queueFull, queueLimit }) => queueFull === 'block' && queueLimit > 0,
  'unknownSession=never': ({ unknownSession }) => unknownSession === 'never',
};

/** Whether one of these options is set. */
export function holdsPosts(wire: WireOptions): boolean {
  return Object.values(holdingWire).some((holds) => holds(wire));
}

/** The names of these options. */
export const holdingWireOptions = Object.keys(holdingWire).map((option) => `wire.${option}`);

/** The presets that have one of these options. */
export function holdingPresets(): string[] {
  return presetNames.filter((name) => {
    const { dialect, wire } = presets[name];
    return holdsPosts({ ...plainWire, ...dialectOf(dialect).wire, ...wire });
  });
}
