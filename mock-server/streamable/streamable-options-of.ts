import type { MockConfig } from '../config/config.js';
import { presets } from '../protocol/presets.js';
import { plainStreamable, type StreamableOptions } from './streamable-options.js';

/** What a configuration makes of the endpoint: what it says itself, over its preset, over what holds otherwise. */
export function streamableOptionsOf({
  like,
  streamable,
}: Pick<MockConfig, 'like' | 'streamable'>): StreamableOptions {
  const preset = like === undefined ? {} : presets[like].streamable;
  return { ...plainStreamable, ...preset, ...streamable };
}
