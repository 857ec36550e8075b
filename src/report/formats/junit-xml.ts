import { oneLine, printableText } from '../../text/one-line.js';

export interface JunitCase {
  name: string;
  state: 'passed' | 'failure' | 'error' | 'skipped';
  /** What kind of check it is: `threshold`, `run`, … */
  type: string;
  /** In a line; empty where it passed. */
  message: string;
  seconds: number;
}

export interface JunitSuite {
  name: string;
  /** ISO 8601, in UTC. */
  startedAt: string;
  hostname: string;
  seconds: number;
  properties: Readonly<Record<string, string>>;
  cases: readonly JunitCase[];
  output: string;
}

/**
 * JUnit's XML, within both of its schemas that are in use, Ant's and Jenkins's: what only one of them allows is left out,
 * what only one of them asks for is there.
 */
export function junitXml(suites: readonly JunitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...suites.map(suiteXml),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteXml(suite: JunitSuite, id: number): string {
  const name = token(suite.name);
  const count = (state: JunitCase['state']): number =>
    suite.cases.filter((one) => one.state === state).length;
  const open = tag('testsuite', {
    name,
    package: `mcp-bench.${name}`,
    id: String(id),
    timestamp: new Date(suite.startedAt).toISOString().slice(0, 19),
    hostname: token(suite.hostname, 'localhost'),
    tests: String(suite.cases.length),
    failures: String(count('failure')),
    errors: String(count('error')),
    skipped: String(count('skipped')),
    time: suite.seconds.toFixed(3),
  });
  const properties = Object.entries(suite.properties).map(
    ([key, value]) => `      <${tag('property', { name: token(key), value })}/>`,
  );
  return [
    `  <${open}>`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...suite.cases.map((one) => caseXml(one, `mcp-bench.${name}`)),
    `    <system-out>${escapeXml(suite.output)}</system-out>`,
    '    <system-err></system-err>',
    '  </testsuite>',
  ].join('\n');
}

function caseXml({ name, state, type, message, seconds }: JunitCase, classname: string): string {
  const open = tag('testcase', { name: token(name), classname, time: seconds.toFixed(3) });
  if (state === 'passed') return `    <${open}/>`;
  const inner =
    state === 'skipped'
      ? `<${tag('skipped', { message })}/>`
      : `<${tag(state, { type, message })}>${escapeXml(message)}</${state}>`;
  return `    <${open}>\n      ${inner}\n    </testcase>`;
}

function tag(name: string, attributes: Record<string, string>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(oneLine(value))}"`);
  return name + pairs.join('');
}

/** The schemas' token: no white space but single spaces inside, and not empty. */
function token(text: string, otherwise = 'unnamed'): string {
  return printable(oneLine(text)).replace(/\s+/g, ' ').trim() || otherwise;
}

/** XML 1.0 has no way to write most control characters, nor halves of surrogate pairs, nor the last two of a plane. */
function printable(text: string): string {
  return printableText(text.replace(/[\ufffe\uffff]/g, ' '));
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return printable(text).replace(/[&<>"]/g, (character) => entities[character]!);
}
