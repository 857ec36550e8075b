import type { Argv } from 'yargs';
import { Failure } from '../failure.js';
import { otlpReport } from '../report/otlp.js';
import { oneLine } from '../report/style.js';
import type { RunResult } from '../result/result.js';

/** Where metrics go: the whole URL and the headers that the environment asks for. */
export interface OtlpReceiver {
  url: string;
  headers: Readonly<Record<string, string>>;
}

const timeoutMs = 10_000;
const headersVariable = 'OTEL_EXPORTER_OTLP_HEADERS';

/** Adds `--otlp` to a command. */
export function otlpFlag<Flags>(yargs: Argv<Flags>): Argv<Flags & { otlp?: string }> {
  return yargs.option('otlp', {
    type: 'string',
    requiresArg: true,
    describe: `send metrics over OTLP/HTTP, e.g. to http://127.0.0.1:4318 (headers: ${headersVariable})`,
  }) as unknown as Argv<Flags & { otlp?: string }>;
}

/** Reads `--otlp`: a URL without a path gets /v1/metrics, as with OTEL_EXPORTER_OTLP_ENDPOINT. A mistake is a Failure. */
export function parseOtlpFlag(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OtlpReceiver | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Failure(`--otlp: expected a URL such as http://127.0.0.1:4318, found "${given}".`);
  if (url.username !== '' || url.password !== '')
    throw new Failure(
      `--otlp: a password in a URL ends up in logs: set ${headersVariable}="Authorization=Basic%20…" instead.`,
    );
  if (url.pathname === '/') url.pathname = '/v1/metrics';
  return { url: url.href, headers: parseHeaders(environment[headersVariable] ?? '') };
}

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
    const text = await answer.text();
    if (!answer.ok) return `${url} answered ${answer.status}${saying(text)}`;
    return rejected(url, text);
  } catch (error) {
    return `${url}: ${reasonOf(error)}`;
  }
}

/** `a=1,b=2` with percent-encoded values, as OpenTelemetry's specification of its environment variables has it. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/s.exec(pair) ?? [];
      const decoded = value === undefined ? null : percentDecoded(value);
      if (name === undefined || decoded === null)
        throw new Failure(
          `${headersVariable}: expected name=value pairs between commas, values percent-encoded.`,
        );
      return [name.toLowerCase(), decoded];
    }),
  );
}

function percentDecoded(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return /[^\t\x20-\x7e\x80-\xff]/.test(decoded) ? null : decoded;
  } catch {
    return null;
  }
}

/** A receiver may accept the request and yet turn some of its points down. */
function rejected(url: string, text: string): string | null {
  let partial: { rejectedDataPoints?: string | number; errorMessage?: string } | undefined;
  try {
    partial = JSON.parse(text)?.partialSuccess;
  } catch {
    return null;
  }
  const points = Number(partial?.rejectedDataPoints ?? 0);
  if (!(points > 0)) return null;
  return `${url} turned ${points} data points down${saying(partial?.errorMessage ?? '')}`;
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
