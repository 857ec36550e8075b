import type { MockConfig } from '../config.js';
import { kindOf, MessageKind } from '../json-rpc.js';
import type { Site } from '../site.js';

const holdingFaults = ['httpError', 'unansweredPost', 'heldPost', 'eventBefore202', 'ackAfterWork'] as const;

/** Whether every well-formed message to an open session of this site is accepted at once, so that any thread may do it. */
export function acceptsAtOnce(site: Site, config: MockConfig): boolean {
  const { ack, jsonInPost, methodNotFoundFirst, queueFull, queueLimit } = site.wire;
  if (ack !== 'at-once' || jsonInPost || methodNotFoundFirst || (queueFull === 'block' && queueLimit > 0))
    return false;
  const layers = [config.faults, ...Object.values(config.tools).map((tool) => tool.faults ?? {})];
  return layers.every((faults) => holdingFaults.every((name) => (faults[name]?.rate ?? 0) === 0));
}

/** Whether a body is a JSON-RPC message: whoever accepts it has to know. */
export function isMessage(body: string): boolean {
  try {
    return kindOf(JSON.parse(body)) !== MessageKind.invalid;
  } catch {
    return false;
  }
}
