import { expect, test } from 'vitest';
import { junitXml } from './junit-xml.js';
import { junitReport } from './junit.js';
import { results } from './results.fixture.js';
import { parseXml, type XmlElement } from './xml.fixture.js';

test.each(['thresholdsFailed', 'suspect', 'allFailed', 'hostile'])('%s looks as it did', async (name) => {
  await expect(junitReport(results[name]!())).toMatchFileSnapshot(`./golden/junit-${name}.xml`);
});

test.each(Object.keys(results))('%s is within the schemas of Ant and of Jenkins', (name) => {
  checkSchemas(junitReport(results[name]!()));
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

test('text that XML cannot hold is left out, the rest comes back', () => {
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
  checkSchemas(text);
  const suite = parseXml(text).children[0]!;
  expect(suite.attributes).toMatchObject({
    name: 'unnamed',
    hostname: 'localhost',
    timestamp: '2026-11-18T07:03:12',
  });
  expect(suite.children.at(-2)!.text).toBe('a b [1m <&>"\' ]]> \ufffd   漢\n\tc');
});

function casesOf(text: string): XmlElement[] {
  return parseXml(text).children[0]!.children.filter(({ name }) => name === 'testcase');
}

/** The rules of both schemas at once: of each what it demands, of neither what it forbids. */
function checkSchemas(text: string): void {
  const root = parseXml(text);
  expect(root.name).toBe('testsuites');
  expect(root.attributes).toEqual({});
  root.children.forEach((suite, index) => checkSuite(suite, index));
}

function checkSuite(suite: XmlElement, index: number): void {
  const { attributes, children } = suite;
  expect(suite.name).toBe('testsuite');
  expect(Object.keys(attributes).sort()).toEqual([
    'errors',
    'failures',
    'hostname',
    'id',
    'name',
    'package',
    'skipped',
    'tests',
    'time',
    'timestamp',
  ]);
  for (const name of ['name', 'hostname', 'package']) expectToken(attributes[name]!);
  expect(attributes.id).toBe(String(index));
  expect(attributes.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  expect(attributes.time).toMatch(/^\d+\.\d+$/);
  expect(children.map(({ name }) => name).join(' ')).toMatch(
    /^properties (testcase )*system-out system-err$/,
  );
  const [properties, ...rest] = children;
  for (const { name, attributes } of properties!.children) {
    expect(name).toBe('property');
    expect(Object.keys(attributes)).toEqual(['name', 'value']);
    expectToken(attributes.name!);
  }
  const cases = rest.filter(({ name }) => name === 'testcase');
  cases.forEach(checkCase);
  const with_ = (name: string): string =>
    String(cases.filter(({ children }) => children[0]?.name === name).length);
  expect(attributes).toMatchObject({
    tests: String(cases.length),
    failures: with_('failure'),
    errors: with_('error'),
    skipped: with_('skipped'),
  });
}

function checkCase({ attributes, children }: XmlElement): void {
  expect(Object.keys(attributes)).toEqual(['name', 'classname', 'time']);
  expectToken(attributes.name!);
  expectToken(attributes.classname!);
  expect(attributes.time).toMatch(/^\d+\.\d+$/);
  expect(children.length).toBeLessThanOrEqual(1);
  for (const child of children) {
    expect(['skipped', 'error', 'failure']).toContain(child.name);
    expect(Object.keys(child.attributes)).toEqual(
      child.name === 'skipped' ? ['message'] : ['type', 'message'],
    );
    expect(child.attributes.message).not.toBe('');
  }
}

function expectToken(text: string): void {
  expect(text).toMatch(/^\S+( \S+)*$/);
}
