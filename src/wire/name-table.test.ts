import { expect, test } from 'vitest';
import { NameTable } from './name-table.js';

const get = (table: NameTable, name: string) => {
  const bytes = Buffer.from(`<${name}>`);
  return table.get(bytes, 1, bytes.length - 1);
};

test('gives back every name, known or not', () => {
  const table = new NameTable(['message', 'endpoint']);
  const names = ['message', 'endpoint', 'messagf', '', 'größe', 'x'.repeat(1000), 'endpoint', '', 'messag'];
  expect(names.map((name) => get(table, name))).toEqual(names);
});

test('is right also when it is full', () => {
  const table = new NameTable();
  const names = Array.from({ length: 100 }, (_, i) => `name-${i}`);
  for (let round = 0; round < 2; round++) expect(names.map((name) => get(table, name))).toEqual(names);
});
