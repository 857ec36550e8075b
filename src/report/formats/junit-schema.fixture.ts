import { expect } from 'vitest';
import { parseXml, type XmlElement } from './xml.fixture.js';

/**
 * The rules of both schemas in use at once, Ant's (JUnit.xsd of Windy Road) and Jenkins's (junit-10.xsd of its xUnit plugin): what either demands is there,
 * what either forbids is not. Elements and their order, attributes and their types, and that the counts are those of the cases.
 */
export function checkJunitSchemas(text: string): void {
  const root = parseXml(text);
  expect(root.name).toBe('testsuites');
  expect(root.attributes).toEqual({});
  expect(root.text.trim()).toBe('');
  expect(root.children.length).toBeGreaterThan(0);
  root.children.forEach((suite, index) => checkSuite(suite, index));
}

function checkSuite(suite: XmlElement, index: number): void {
  const { attributes, children } = suite;
  expect(suite.name).toBe('testsuite');
  expect(suite.text.trim()).toBe('');
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
  for (const { name, attributes, text, children } of properties!.children) {
    expect(name).toBe('property');
    expect(Object.keys(attributes)).toEqual(['name', 'value']);
    expect(text + children.length).toBe('0');
    expectToken(attributes.name!);
  }
  for (const output of rest.slice(-2)) {
    expect(output.attributes).toEqual({});
    expect(output.children).toEqual([]);
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

function checkCase({ attributes, children, text }: XmlElement): void {
  expect(text.trim()).toBe('');
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
    expect(child.children).toEqual([]);
  }
}

function expectToken(text: string): void {
  expect(text).toMatch(/^\S+( \S+)*$/);
}
