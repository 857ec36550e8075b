import type { JsonValue } from '../scenario/plan.js';
import { parseBounded } from '../wire/parse-bounded.js';

// Sent back as it came, so that it costs as much again.
const longestState = 1024 * 1024;

/**
 * The request that goes on where the server asked for input: the same text, with an answer to each thing that it asked for, and its own
 * state as it came. Why there can be none, where it cannot be answered.
 */
export function requestAgain(
  text: string,
  response: string,
  answers: Readonly<Record<string, JsonValue>>,
): { readonly text: string } | { readonly why: string } {
  const asked = readAsked(response);
  if (asked === null) return { why: 'what it asks for cannot be read' };
  const { inputRequests, requestState } = asked;
  const names = Object.keys(inputRequests);
  const missing = names.filter((name) => !Object.hasOwn(answers, name));
  if (missing.length > 0) return { why: `it asks for ${missing.slice(0, 5).join(', ')}` };
  if (names.length === 0 && requestState === undefined) return { why: 'it says nothing of what it asks for' };
  const message = JSON.parse(text) as { params: object };
  const params = {
    ...message.params,
    ...(names.length === 0
      ? {}
      : { inputResponses: Object.fromEntries(names.map((name) => [name, answers[name]])) }),
    ...(requestState === undefined ? {} : { requestState }),
  };
  return { text: JSON.stringify({ ...message, params }) };
}

interface Asked {
  readonly inputRequests: Readonly<Record<string, unknown>>;
  readonly requestState: string | undefined;
}

function readAsked(response: string): Asked | null {
  try {
    const { result } = parseBounded(response) as { result: Readonly<Record<string, unknown>> };
    const { inputRequests = {}, requestState } = result;
    if (typeof inputRequests !== 'object' || inputRequests === null || Array.isArray(inputRequests))
      return null;
    if (requestState !== undefined && typeof requestState !== 'string') return null;
    if (requestState !== undefined && requestState.length > longestState) return null;
    return { inputRequests: inputRequests as Readonly<Record<string, unknown>>, requestState };
  } catch {
    return null;
  }
}
