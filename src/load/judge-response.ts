import type { PlainOutcome } from '../stats/outcomes.js';
import type { Envelope } from '../wire/json-rpc-scanner.js';
import { parseBounded } from '../wire/parse-bounded.js';
import { cut } from '../text/cut.js';
import { isPlainEcho } from './plain-echo.js';
import type { Operation } from './workload.js';

/** What is wrong with a response. */
export type ResponseFault =
  | { readonly outcome: PlainOutcome; readonly example: string }
  | { readonly outcome: 'rpcError'; readonly code: number; readonly example: string };

/** Whether the response in bytes [start, end) is what the scenario asks for: null then. `echo` is what an echo has to return. */
export function judgeResponse(
  operation: Operation,
  seq: number,
  echo: string,
  envelope: Envelope,
  buffer: Buffer,
  start: number,
  end: number,
): ResponseFault | null {
  if (envelope.kind !== 'response')
    return { outcome: 'invalidResponse', example: excerpt(buffer, start, end) };
  if (envelope.hasError)
    return { outcome: 'rpcError', code: envelope.errorCode, example: excerpt(buffer, start, end) };
  const { expectation, onlyEcho, errorExpected } = operation;
  if (envelope.isError && !errorExpected)
    return { outcome: 'toolError', example: excerpt(buffer, start, end) };
  if (expectation === null || (onlyEcho && isPlainEcho(echo, buffer, start, end))) return null;
  const reason = check(operation, seq, echo, buffer, start, end);
  return reason === null ? null : { outcome: 'checkFailed', example: `${operation.plan.name}: ${reason}` };
}

// A result may be nested so deeply that the stack does not suffice to look at it, or hold so much that memory does not.
function check(
  { expectation }: Operation,
  seq: number,
  echo: string,
  buffer: Buffer,
  start: number,
  end: number,
): string | null {
  try {
    const { result } = parseBounded(buffer.toString('utf8', start, end)) as { result: unknown };
    return expectation!(result, echo, end - start, seq);
  } catch (error) {
    return `the result cannot be checked: ${(error as Error).message}`;
  }
}

const longestExcerpt = 300;

// With a mark where it is cut: what is left of a secret is hidden before one.
function excerpt(buffer: Buffer, start: number, end: number): string {
  return cut(buffer.toString('utf8', start, Math.min(end, start + 3 * (longestExcerpt + 1))), longestExcerpt);
}
