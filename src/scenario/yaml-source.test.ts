import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Failure } from '../failure.js';
import { parseYamlSource, readYamlSource } from './yaml-source.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-yaml-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

test.each([
  ['a byte order mark and Windows line ends', '\uFEFFa: 1\r\nb:\r\n  - x\r\n'],
  ['no line end at the end', 'a: 1\nb: [x]'],
  ['JSON', '{ "a": 1, "b": ["x"] }'],
  ['anchors and merges', 'a: 1\nb: &b [x]\n'],
])('reads %s', (name, text) => {
  const source = readYamlSource(write(`${name}.yaml`, text));
  expect(source.value).toEqual({ a: 1, b: ['x'] });
  expect(source.folder).toBe(folder);
});

test('places are right behind a byte order mark and with Windows line ends', () => {
  const source = readYamlSource(write('crlf.yaml', '\uFEFFa: 1\r\nb:\r\n  - "x {{y}}"\r\n'));
  expect(source.locate({ path: ['a'], message: '' })).toMatchObject({
    at: `${source.name}:1:4`,
    path: ['a'],
  });
  expect(source.locate({ path: ['b', 0], message: '', text: '{{y}}' }).at).toBe(`${source.name}:3:8`);
  expect(source.locate({ path: [], key: 'b', message: '' }).at).toBe(`${source.name}:2:1`);
  expect(source.locate({ path: ['b', 7, 'z'], message: '' })).toMatchObject({
    at: `${source.name}:3:3`,
    path: ['b'],
  });
});

test.each([
  [
    'a: [1',
    '1:6: not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a:\n\tb: 1', '2:1: expected spaces, found a tab: YAML is not indented with tabs'],
  ['a: 1\nb: 2\na: 3', '3:1: this key stands twice in the same map'],
  ['a: 1\n---\nb: 1', '2:1: expected one document, found a second one after ---'],
  ['a: *b', '1:4: there is no anchor &b above this'],
  ['a: !!python/object 1', '1:4: not valid YAML: unresolved tag: tag:yaml.org,2002:python/object'],
  ['a: {{int 1 20}}', '1:5: a template needs quotes: write "{{int 1 20}}", not {{int 1 20}}'],
  ['? [a]\n: 1', '1:3: expected a plain key, found a list'],
  ['a: "x', '1:6: not valid YAML: missing closing "quote'],
])('refuses %j', (text, message) => {
  expect(() => parseYamlSource('x.yaml', text)).toThrow(new Failure(`x.yaml:${message}`));
});

test('a file that is not there, with the one that was meant', () => {
  write('burst.yaml', 'a: 1');
  expect(() => readYamlSource(join(folder, 'brust.yaml'))).toThrow(
    new Failure(`${join(folder, 'brust.yaml')}: no such file; did you mean "burst.yaml"?`),
  );
  expect(() => readYamlSource(join(folder, 'no', 'such', 'x.yaml'))).toThrow('x.yaml: no such file');
});

test('a directory, and files that are no text', () => {
  mkdirSync(join(folder, 'dir.yaml'));
  expect(() => readYamlSource(join(folder, 'dir.yaml'))).toThrow(
    'dir.yaml: expected a file, found a directory',
  );
  for (const bytes of [Buffer.from([0xff, 0xfe, 0x61, 0x00]), Buffer.from('a: \0')]) {
    expect(() => readYamlSource(write('bytes.yaml', bytes))).toThrow(
      'bytes.yaml: expected a text file in UTF-8, found other bytes',
    );
  }
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('a file that may not be read', () => {
  chmodSync(write('secret.yaml', 'a: 1'), 0);
  expect(() => readYamlSource(join(folder, 'secret.yaml'))).toThrow('may not be read: permission denied');
});
