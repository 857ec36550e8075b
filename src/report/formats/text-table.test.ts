import { expect, test } from 'vitest';
import { textTable, type Column } from './text-table.js';

const columns: Column[] = [
  { title: 'tool', align: 'left' },
  { title: 'ok', align: 'right', expendable: 1 },
  { title: 'p50', align: 'right' },
  { title: 'p90', align: 'right', expendable: 2 },
];
const rows = [
  ['echo', '9,000', '1.2ms', '3.4ms'],
  ['漢字', '1', '', ''],
];

test('columns line up, and no line ends in spaces', () => {
  expect(textTable(columns, rows, 80)).toEqual([
    'tool     ok    p50    p90',
    'echo  9,000  1.2ms  3.4ms',
    '漢字      1',
  ]);
});

test('where there is no room columns move together, then the most expendable go, the others never', () => {
  expect(textTable(columns, rows, 22)[1]).toBe('echo 9,000 1.2ms 3.4ms');
  expect(textTable(columns, rows, 21)[1]).toBe('echo  9,000  1.2ms');
  expect(textTable(columns, rows, 15)[1]).toBe('echo  1.2ms');
  expect(textTable(columns, rows, 3)[1]).toBe('echo 1.2ms');
});
