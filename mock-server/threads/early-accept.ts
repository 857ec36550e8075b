import type { MockConfig } from '../config/config.js';
import type { FaultConfig } from '../config/faults.js';
import { holdingFaults, holdsPosts } from '../calls/held-posts.js';
import { kindOf, MessageKind } from '../protocol/json-rpc.js';
import type { Site } from '../protocol/site.js';

// A refusal holds no POST, but whoever accepts at once cannot refuse.
const uncertainFaults = [...holdingFaults, 'httpError'] as const;

/** Whether every well-formed message to an open session of this site is accepted at once, so that any thread may do it. */
export function acceptsAtOnce(site: Site, config: MockConfig): boolean {
  if (holdsPosts(site.wire)) return false;
  const layers: Partial<FaultConfig>[] = [
    config.faults,
    ...Object.values(config.tools).map((tool) => tool.faults ?? {}),
  ];
  return layers.every((faults) => uncertainFaults.every((name) => (faults[name]?.rate ?? 0) === 0));
}

/** Whether a body is a JSON-RPC message: whoever accepts it has to know. */
export function isMessage(body: string): boolean {
  try {
    return kindOf(JSON.parse(body)) !== MessageKind.invalid;
  } catch {
    return false;
  }
}
