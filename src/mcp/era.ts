/** MCP with sessions (initialize, and all else in what it opened), or without: each request says all that there is to know. */
export type Era = 'sessions' | 'stateless';

const firstStateless = '2026-07-28';

/** The era of a revision such as `2025-11-25`. */
export function eraOf(protocol: string): Era {
  return /^\d{4}-\d{2}-\d{2}$/.test(protocol) && protocol >= firstStateless ? 'stateless' : 'sessions';
}
