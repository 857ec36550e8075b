import { otlpReport } from '../../report/run/otlp.js';
import { oneLine } from '../../text/one-line.js';
import type { RunResult } from '../../result/result.js';
import type { OtlpReceiver } from '../flags/otlp-flag.js';

const timeoutMs = 10_000;
// What it has to say to us is a line.
const mostBytes = 64 * 1024;

/** Sends the metrics of a run; returns null, or in one line why they did not arrive. Never throws: a run is not worth less for it. */
export async function sendOtlp(result: RunResult, { url, headers }: OtlpReceiver): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: otlpReport(result),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await beginningOf(answer);
    if (!answer.ok) return `${url} answered ${answer.status}${saying(text)}`;
    return rejected(url, text);
  } catch (error) {
    return `${url}: ${reasonOf(error)}`;
  }
}

/** The first of an answer's body; the rest is not waited for, nor unpacked. */
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, mostBytes);
}

/** A receiver may accept the request and yet turn some of its points down. */
function rejected(url: string, text: string): string | null {
  let partial: { rejectedDataPoints?: string | number; errorMessage?: unknown } | undefined;
  try {
    partial = JSON.parse(text)?.partialSuccess;
  } catch {
    return null;
  }
  const points = Number(partial?.rejectedDataPoints ?? 0);
  if (!(points > 0)) return null;
  const why = partial?.errorMessage;
  return `${url} turned ${points} data points down${saying(typeof why === 'string' ? why : '')}`;
}

function saying(text: string): string {
  const line = oneLine(text).trim();
  return line === '' ? '' : `: ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`;
}

/** fetch says "fetch failed" and hides why in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return oneLine(cause.message || code || error.message);
}
