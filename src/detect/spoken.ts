import type { Era } from '../mcp/era.js';
import { transportKinds } from '../transport/transport-kinds.js';
import type { DialectName, TargetPlan, TransportName } from '../scenario/plan.js';

/** What a server speaks, and where. */
export interface Spoken {
  /** Where it was found: the target's own URL, with the path that works where it had none; '' over stdio. */
  readonly url: string;
  readonly transport: TransportName;
  readonly era: Era;
  /** The revision to speak; `auto` over HTTP+SSE, where each session says so itself. */
  readonly protocolVersion: string;
  /** The dialect that it seems to speak over HTTP+SSE; null where nothing was asked. */
  readonly dialect: DialectName | null;
}

/** The target with what it speaks by name, so that nothing is left to be found out. */
export function speaking(
  target: TargetPlan,
  { url, transport, protocolVersion }: Spoken,
): TargetPlan & { readonly transport: TransportName } {
  return { ...target, url, transport, protocol: protocolVersion };
}

/** What is spoken, as people call it: `Streamable HTTP 2025-11-25`. */
export function spokenText({ transport, era, protocolVersion }: Omit<Spoken, 'url' | 'dialect'>): string {
  if (transport === 'sse') return 'HTTP+SSE';
  const version = protocolVersion === 'auto' ? '' : ` ${protocolVersion}`;
  return `${transportKinds[transport].title}${version}${era === 'stateless' ? ' (stateless)' : ''}`;
}
