import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readDataFile } from './data-file.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string, text: string): unknown {
  writeFileSync(join(folder, name), text);
  return readDataFile(join(folder, name));
}

test.each([
  ['a.csv', 'id,name\n1,Ann\n2,Bob\n'],
  ['a.csv', '\uFEFFid,name\r\n1,Ann\r\n\r\n2,Bob'],
  ['a.CSV', '"id","name"\n"1","Ann"\n2,Bob'],
  ['a.tsv', 'id\tname\n1\tAnn\n2\tBob\n'],
  ['a.jsonl', '{"id":"1","name":"Ann"}\n\n{"id":"2","name":"Bob"}\r\n'],
])('%s: %j', (name, text) => {
  expect(read(name, text)).toEqual([
    { id: '1', name: 'Ann' },
    { id: '2', name: 'Bob' },
  ]);
});

test('fields in quotes hold anything, and empty fields are empty', () => {
  expect(read('q.csv', 'a,b,c\n"x,1","y\n""2""",\n,,z\n')).toEqual([
    { a: 'x,1', b: 'y\n"2"', c: '' },
    { a: '', b: '', c: 'z' },
  ]);
});

test('JSON values keep their types', () => {
  expect(read('t.jsonl', '{"n":1,"list":[true,null]}')).toEqual([{ n: 1, list: [true, null] }]);
});

test.each([
  ['x.csv', '', 'expected at least one row of data, found none'],
  ['x.csv', 'a,b\n', 'expected at least one row of data, found none'],
  ['x.csv', 'a,a\n1,2', ':1: the column "a" stands twice'],
  ['x.csv', 'a,b\n1,2\n3\n', ':3: expected 2 fields as in the first line, found 1'],
  ['x.csv', 'a,b\n"1\n1",2\n3,4,5\n', ':4: expected 2 fields as in the first line, found 3'],
  ['x.csv', 'a,b\n"1,2\n', ':2: a field in quotes does not end, or goes on after its quotes'],
  ['x.csv', 'a,b\n"1"x,2\n', ':2: a field in quotes does not end, or goes on after its quotes'],
  ['x.jsonl', '{"a":1}\n{"a":\n', ':2: expected a JSON object on this line'],
  ['x.jsonl', '[1]', ':1: expected a JSON object on this line'],
  ['x.xlsx', 'x', ': expected a file whose name ends in .csv, .tsv or .jsonl'],
])('%s with %j is refused', (name, text, message) => {
  expect(() => read(name, text)).toThrow(message);
});

test('whatever is written with quotes is read back', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'ü') });
  fc.assert(
    fc.property(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 5 }), (rows) => {
      const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const text = ['a,b', ...rows.map((row) => row.map(quote).join(','))].join('\n');
      expect(read('p.csv', text)).toEqual(rows.map(([a, b]) => ({ a, b })));
    }),
  );
});
