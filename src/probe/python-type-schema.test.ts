import { expect, test } from 'vitest';
import { pythonTypeSchema } from './python-type-schema.js';

test.each([
  ['str', { type: 'string' }],
  ["<class 'int'>", { type: 'integer' }],
  ['typing.Any', {}],
  ['Optional[int]', { anyOf: [{ type: 'integer' }, { type: 'null' }] }],
  ['int | None', { anyOf: [{ type: 'integer' }, { type: 'null' }] }],
  ['List[str]', { type: 'array', items: { type: 'string' } }],
  ['typing.List[typing.Dict[str, int]]', { type: 'array', items: { type: 'object' } }],
  ['Tuple[str, int]', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 }],
  ["Literal['a', 2, True]", { enum: ['a', 2, true] }],
  ['MyModel', {}],
])('%s', (hint, schema) => {
  expect(pythonTypeSchema(hint)).toEqual(schema);
});
