import type { Exchange } from './exchange.js';
import type { ToolList } from './list-tools.js';
import type { Robustness } from './robustness.js';
import type { ProbeSession } from './probe-session.js';

/** Something that a server does otherwise than the rules say. */
export interface Departure {
  /** Stable, for machines. */
  readonly code: string;
  /** How binding the rule is: the specification's MUST or SHOULD, or what all SDKs do without its being written. */
  readonly weight: 'must' | 'should' | 'custom';
  readonly rule: string;
  readonly found: string;
  /** The dialect that the server speaks is like that. */
  readonly ofDialect: boolean;
}

/** All that a probe of an HTTP+SSE server has seen. */
export interface Observed {
  readonly session: ProbeSession;
  /** A second session that was open at the same time; null where none could be had. */
  readonly beside: ProbeSession | null;
  /** Responses of the first session that came on the second one's stream. */
  readonly overheard: number;
  readonly exchanges: readonly Exchange[];
  readonly tools: ToolList;
  readonly robustness: Robustness | null;
}

/** Departures as the checks find them, before it is known whether the dialect is like that. */
export type Found = Omit<Departure, 'ofDialect'>[];

/** Where the rules of the transport stand. */
export const transport = 'MCP 2024-11-05, HTTP with SSE';

/** A departure from a rule that the specification makes binding. */
export function must(code: string, rule: string, found: string): Found[number] {
  return { code, weight: 'must', rule, found };
}
