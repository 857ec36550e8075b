import { expect, test } from 'vitest';
import { mirroredTexts, readMirrored } from './mirrored-arguments.js';

const text = (header: unknown): object => ({ type: 'string', 'x-mcp-header': header });
const schema = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

test('arguments are found wherever properties lead, and nowhere else', () => {
  expect(
    readMirrored(
      schema({
        region: text('Region'),
        at: schema({ zone: { type: 'integer', 'x-mcp-header': 'Zone' } }),
        'x-mcp-header': { type: 'string' },
        other: { type: 'string', default: { 'x-mcp-header': 'no' }, enum: [{ 'x-mcp-header': 'no' }] },
      }),
    ),
  ).toEqual([
    { header: 'Region', path: ['region'] },
    { header: 'Zone', path: ['at', 'zone'] },
  ]);
  for (const nothing of [undefined, null, 7, 'text', [], {}, schema({})])
    expect(readMirrored(nothing), String(nothing)).toEqual([]);
});

test.each([
  ['empty', schema({ a: text('') })],
  ['no text', schema({ a: text(7) })],
  ['a space in it', schema({ a: text('My Region') })],
  ['a colon in it', schema({ a: text('Region:Primary') })],
  ['not ASCII', schema({ a: text('Région') })],
  ['a control character in it', schema({ a: text('Region\t1') })],
  ['of an object', schema({ a: { type: 'object', 'x-mcp-header': 'A' } })],
  ['of an array', schema({ a: { type: 'array', 'x-mcp-header': 'A' } })],
  ['of null', schema({ a: { type: 'null', 'x-mcp-header': 'A' } })],
  ['of a number', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
  ['twice', schema({ a: text('A'), b: text('A') })],
  ['twice, but for its case', schema({ a: text('MyField'), b: text('myfield') })],
  ['of the items of an array', schema({ a: { type: 'array', items: text('A') } })],
  ['of one of several', schema({ a: { anyOf: [text('A')] } })],
  ['of the whole', { ...schema({}), 'x-mcp-header': 'A', type: 'string' }],
  ['of a definition', schema({}, { $defs: { a: text('A') } })],
])('a name that is %s makes the tool one not to call', (_, given) =>
  expect(readMirrored(given)).toEqual(expect.any(String)),
);

test('a schema too large or too deep is not searched to its end', () => {
  let deep: object = text('A');
  for (let level = 0; level < 100; level++) deep = schema({ a: deep });
  expect(readMirrored(deep)).toMatch('too large');
  expect(readMirrored(schema({ a: { anyOf: Array.from({ length: 30_000 }, () => ({})) } }))).toMatch(
    'too large',
  );
});

test('what a call has is repeated as text; what it has not, or is null, is left out', () => {
  const mirrored = [
    { header: 'A', path: ['a'] },
    { header: 'B', path: ['b', 'c'] },
  ];
  const all = (args: unknown): unknown => mirroredTexts(mirrored, args);
  expect(all({ a: 'x', b: { c: 42 } })).toEqual([
    ['A', 'x'],
    ['B', '42'],
  ]);
  expect(all({ a: false, b: { c: '' } })).toEqual([
    ['A', 'false'],
    ['B', ''],
  ]);
  expect(all({ a: null, b: 7 })).toEqual([]);
  expect(all({ a: {}, b: { c: [] } })).toEqual([]);
  expect(all(undefined)).toEqual([]);
});
