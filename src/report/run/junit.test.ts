import { expect, test } from 'vitest';
import { checkJunitSchemas } from '../formats/junit-schema.fixture.js';
import { junitXml } from '../formats/junit-xml.js';
import { junitReport } from './junit.js';
import { oneLine } from '../../text/one-line.js';
import { results } from './results.fixture.js';
import { parseXml, type XmlElement } from '../formats/xml.fixture.js';

test.each(['thresholdsFailed', 'disturbed', 'suspect', 'allFailed', 'hostile'])(
  '%s looks as it did',
  async (name) => {
    await expect(junitReport(results[name]!())).toMatchFileSnapshot(`./golden/junit-${name}.xml`);
  },
);

test.each(Object.keys(results))('%s is within the schemas of Ant and of Jenkins', (name) => {
  checkJunitSchemas(junitReport(results[name]!()));
});

test('what a stored result says is printable, and an attribute is on one line', () => {
  const result = results.happy!();
  const evil = 'so\u202e\u2028\u009b2J\u001b\u{e0041}\n##[error]owned';
  const text = junitReport({
    ...result,
    name: evil,
    examples: { toolError: evil },
    environment: { ...result.environment, cpu: evil, os: evil, git: evil, tags: { [evil]: evil } },
    thresholds: [{ ...results.thresholdsFailed!().thresholds[0]!, metric: evil, rule: evil, detail: evil }],
    target: { ...result.target, url: evil, dialect: evil, server: { name: evil, version: evil } },
    validity: { state: 'suspect', reasons: [{ code: 'x', message: evil }], warnings: [] },
  });
  checkJunitSchemas(text);
  expect(text).toContain('owned');
  expect(text.split('\n').filter((line) => oneLine(line) !== line.trim())).toEqual([]);
  expect(text).not.toMatch(/="[^"]*\n/);
});

test('there is a test case for each threshold, and it fails where the threshold does', () => {
  const cases = casesOf(junitReport(results.thresholdsFailed!()));
  expect(
    cases.map(({ attributes, children }) => [attributes.name, children.map(({ name }) => name)]),
  ).toEqual([
    ['the run', []],
    ['the measurement is valid', []],
    ['call.response p(99) < 250ms', ['failure']],
    ['call.response{tool:echo} p(50) < 20ms', []],
    ['errors rate < 0.1%', ['failure']],
  ]);
  expect(cases[2]!.children[0]!.attributes.message).toBe('the p99 falls among failed calls');
});

test.each([
  ['happy', undefined, undefined],
  ['suspect', undefined, 'skipped'],
  ['allFailed', 'error', undefined],
  ['interrupted', 'error', undefined],
])('%s: the run %s, its validity %s', (name, run, validity) => {
  const [first, second] = casesOf(junitReport(results[name]!()));
  expect(first!.children[0]?.name).toBe(run);
  expect(second!.children[0]?.name).toBe(validity);
});

test('text that XML cannot hold leaves a mark, the rest comes back', () => {
  const output = 'a\u0000b\u001b[1m <&>"\' ]]> \ud800 \ufffe 漢\n\tc';
  const text = junitXml([
    {
      name: ' \u0001 ',
      startedAt: '2026-11-18T07:03:12.345Z',
      hostname: '',
      seconds: 1,
      properties: {},
      cases: [],
      output,
    },
  ]);
  checkJunitSchemas(text);
  const suite = parseXml(text).children[0]!;
  expect(suite.attributes).toMatchObject({
    name: 'unnamed',
    hostname: 'localhost',
    timestamp: '2026-11-18T07:03:12',
  });
  expect(suite.children.at(-2)!.text).toBe('a\ufffdb\ufffd[1m <&>"\' ]]> \ufffd   漢\n\tc');
});

function casesOf(text: string): XmlElement[] {
  return parseXml(text).children[0]!.children.filter(({ name }) => name === 'testcase');
}
