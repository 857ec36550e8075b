import type { Question } from '../config/content-schema.js';
import type { ToolConfig } from '../config/config.js';

/** What passes between server and client before a tool or a prompt gives its result. */
export interface Exchange {
  readonly asks?: readonly Readonly<Record<string, Question>>[] | undefined;
  readonly state?: boolean | undefined;
  readonly progress?: ToolConfig['progress'];
  readonly logs?: ToolConfig['logs'];
  readonly needs?: ToolConfig['needs'];
  readonly changes?: ToolConfig['changes'];
}

/** What a tool's configuration says of it; undefined where it just gives its result. */
export function exchangeOf({
  asks,
  state,
  progress,
  logs,
  needs,
  changes,
}: ToolConfig): Exchange | undefined {
  const exchange = { asks, state, progress, logs, needs, changes };
  return Object.values(exchange).some((each) => each !== undefined) ? exchange : undefined;
}
