import { isAbsolute, join, resolve } from 'node:path';
import { Failure } from '../failure.js';
import { strayInHead } from '../wire/head-text.js';
import { makeCommand } from './make-command.js';
import type { TargetPlan } from './plan.js';
import type { Path, Problem } from './problem.js';
import { resolveEnvironment } from './resolve-environment.js';
import type { Scenario } from './schema.js';
import { readText } from './yaml-source.js';
import { readUrl } from '../text/read-url.js';
import { keepHeader, keepPem, keepUrl, redact } from '../text/secrets.js';

type Report = (problem: Problem) => void;
type TargetInput = NonNullable<Scenario['target']>;

// The generator writes these itself; another value would break the framing or the protocol.
const ownHeaders = [
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The target with its certificates and its token read; reports what is wrong with it. */
export function makeTarget(scenario: Scenario, folder: string, report: Report): TargetPlan {
  const target: TargetInput = scenario.target ?? {};
  const pem = (key: 'ca' | 'cert' | 'key'): string | null =>
    readPem(target.tls?.[key], folder, ['target', 'tls', key], report);
  const [ca, cert, key] = [pem('ca'), pem('cert'), pem('key')];
  if ((target.tls?.cert === undefined) !== (target.tls?.key === undefined)) {
    report({ path: ['target', 'tls'], message: 'expected cert and key together, found one alone' });
  }
  if (key !== null) keepPem(key);
  const command = makeCommand(target, folder, report);
  const isCommandAlone = command !== null && target.url === undefined;
  return {
    url: target.url === undefined ? '' : makeUrl(target.url, command !== null, report),
    ...(command === null ? {} : { command }),
    transport: isCommandAlone ? 'stdio' : (target.transport ?? 'auto'),
    protocol: target.protocol ?? 'auto',
    listen: target.listen ?? false,
    dialect: target.dialect ?? 'auto',
    headers: makeHeaders(target, report),
    unixSocket: target.unixSocket === undefined ? null : resolve(folder, target.unixSocket),
    tls: { ca, cert, key, verify: target.tls?.verify ?? true },
    allowForeignEndpoint: target.allowForeignEndpoint ?? false,
  };
}

/** The URL with the environment's values in it; a secret in a query need not stand in a file. */
function makeUrl(given: string, isStartedHere: boolean, report: Report): string {
  const path = ['target', 'url'];
  const url = given.replace(/\{\{\s*env\s+([A-Za-z_]\w*)\s*\}\}/g, (_, name: string) => {
    const value = process.env[name];
    if (value === undefined) report({ path, message: `the environment variable ${name} is not set` });
    return encodeURIComponent(value ?? '');
  });
  keepUrl(url);
  // Any port will do to see whether it is one.
  checkUrl(isStartedHere ? url.replaceAll('{port}', '1') : url, (message) => report({ path, message }));
  return url;
}

function checkUrl(url: string, report: (message: string) => void): void {
  const expected = 'expected a URL such as http://127.0.0.1:8765/sse';
  const placeholder = /\{(?!session\})[^}]*\}/.exec(url);
  if (placeholder)
    return report(`expected no other placeholder than {session} and {{env NAME}}, found ${placeholder[0]}`);
  const read = readUrl(url.replaceAll('{session}', '0'));
  if (read === 'malformed') report(`${expected}, found "${redact(url)}"`);
  if (read === 'scheme') report(`${expected} (http or https), found "${redact(url)}"`);
  if (read === 'credentials')
    report('expected no user and password in the URL: use headers, or token: $NAME');
}

function makeHeaders(target: TargetInput, report: Report): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(target.headers ?? {})) {
    const path = ['target', 'headers', name];
    checkHeaderName(name, path, report);
    const value = resolveEnvironment(text, 'headers are the same on every request', path, report);
    if (strayInHead('value', value) !== null)
      report({ path, message: 'expected a header value of visible ASCII characters, spaces and tabs' });
    keepHeader(name, value);
    headers[name] = value;
  }
  if (target.token !== undefined) {
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
      report({
        path: ['target', 'token'],
        message: 'expected either token or an Authorization header, found both',
      });
    }
    headers['Authorization'] = `Bearer ${readToken(target.token, report)}`;
    keepHeader('Authorization', headers['Authorization']);
  }
  return headers;
}

function checkHeaderName(name: string, path: Path, report: Report): void {
  if (name === '' || strayInHead('name', name) !== null) {
    report({ path, message: `expected the name of a header such as X-Api-Key, found "${name}"` });
  } else if (ownHeaders.includes(name.toLowerCase())) {
    report({ path, message: `the header ${name} is written by the generator itself and cannot be set` });
  }
}

function readToken(token: string, report: Report): string {
  const path = ['target', 'token'];
  const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(token)?.[1];
  if (name === undefined) {
    report({
      path,
      message:
        'expected the name of an environment variable such as $MCP_TOKEN: a token does not belong in a file',
    });
    return '';
  }
  const value = process.env[name]?.trim();
  if (!value) report({ path, message: `the environment variable ${name} is not set` });
  else if (strayInHead('value', value) !== null)
    report({
      path,
      message: `expected visible ASCII characters in the environment variable ${name}, found others`,
    });
  return value ?? '';
}

function readPem(file: string | undefined, folder: string, path: Path, report: Report): string | null {
  if (file === undefined) return null;
  try {
    const text = readText(isAbsolute(file) ? file : join(folder, file));
    if (!text.includes('-----BEGIN '))
      report({ path, message: `${file}: expected a PEM file (-----BEGIN …)` });
    return text;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    report({ path, message: error.message });
    return null;
  }
}
