import type { ScenarioInput } from '../../src/scenario/schema.js';

/** What generator and mock speak in a proof. */
export interface Speech {
  readonly target: Exclude<ScenarioInput['target'], string | undefined>;
  /** Arguments of the mock. */
  readonly mockArgs: readonly string[];
  /** What brings the responses: the session's own stream, a stream in the reply of each POST, that reply's JSON, or a line on a pipe. */
  readonly responses: 'stream' | 'reply events' | 'reply json' | 'line';
}

/** HTTP+SSE, in the dialect `classic`. */
export const httpSse: Speech = { target: { transport: 'sse' }, mockArgs: [], responses: 'stream' };

/** Streamable HTTP, in a revision with sessions or without. */
export function streamable(protocol: '2025-11-25' | '2026-07-28', body: 'sse' | 'json'): Speech {
  return {
    target: { transport: 'streamable', protocol },
    mockArgs: ['--set', `streamable.body=${body}`],
    responses: body === 'sse' ? 'reply events' : 'reply json',
  };
}

/** stdio, in a revision with sessions or without: a mock for each session, started by it. */
export function stdio(protocol: '2025-11-25' | '2026-07-28'): Speech {
  return { target: { protocol }, mockArgs: [], responses: 'line' };
}
