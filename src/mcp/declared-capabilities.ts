import type { JsonValue } from '../scenario/plan.js';

const all = { elicitation: {}, roots: {}, sampling: {} };

/**
 * The capabilities that a client has to declare before a server asks it for what these answers are: without them a server refuses the call
 * (−32021), or goes on without asking. An answer that looks like none of MCP's may be to anything.
 */
export function declaredCapabilities(answers: readonly JsonValue[]): Readonly<Record<string, object>> {
  return Object.assign({}, ...answers.map(capabilityFor)) as Record<string, object>;
}

function capabilityFor(answer: JsonValue): object {
  if (typeof answer !== 'object' || answer === null) return all;
  if ('action' in answer) return { elicitation: {} };
  if ('roots' in answer) return { roots: {} };
  if ('role' in answer) return { sampling: {} };
  return all;
}
