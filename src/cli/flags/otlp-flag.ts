import type { Argv } from 'yargs';
import { Failure } from '../../failure.js';
import { strayInHead } from '../../wire/head-text.js';
import { readUrl } from '../../text/read-url.js';
import { keepHeader, keepUrl, redact } from '../../text/secrets.js';

const headersVariable = 'OTEL_EXPORTER_OTLP_HEADERS';

/** Where metrics go: the whole URL and the headers that the environment asks for. */
export interface OtlpReceiver {
  url: string;
  headers: Readonly<Record<string, string>>;
}

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
  keepUrl(given);
  const url = readUrl(given);
  if (url === 'malformed' || url === 'scheme')
    throw new Failure(`--otlp: expected a URL such as http://127.0.0.1:4318, found "${redact(given)}".`);
  if (url === 'credentials')
    throw new Failure(
      `--otlp: a password in a URL ends up in logs: set ${headersVariable}="Authorization=Basic%20…" instead.`,
    );
  if (url.pathname === '/') url.pathname = '/v1/metrics';
  return { url: url.href, headers: parseHeaders(environment[headersVariable] ?? '') };
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
      keepHeader(name, decoded);
      return [name.toLowerCase(), decoded];
    }),
  );
}

function percentDecoded(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return strayInHead('value', decoded) === null ? decoded : null;
  } catch {
    return null;
  }
}
