import { expect, test } from 'vitest';
import { ResourceShelf } from './resource-shelf.js';
import { UriTemplate } from './uri-template.js';

test.each([
  ['test://t/{id}/data', 'test://t/123/data', { id: '123' }],
  ['test://t/{id}/data', 'test://t/a%20b/data', { id: 'a b' }],
  ['test://t/{id}/data', 'test://t/%zz/data', { id: '%zz' }],
  ['test://t/{id}', 'test://t/x', { id: 'x' }],
  ['{a}/{b}', 'one/two', { a: 'one', b: 'two' }],
  ['a{x}a{y}b', 'a1a2ab', { x: '1', y: '2a' }],
  ['test://a.b/{id}', 'test://a.b/(.*)', { id: '(.*)' }],
])('%s is %s', (template, uri, variables) => {
  expect(new UriTemplate(template).match(uri)).toEqual(variables);
});

test.each([
  ['test://t/{id}/data', 'test://t//data'],
  ['test://t/{id}/data', 'test://t/data'],
  ['test://t/{id}/data', 'test://t/1/2/data'],
  ['test://t/{id}/data', 'test://t/1/data/more'],
  ['test://t/{id}/data', 'atest://t/1/data'],
  ['test://a.b/{id}', 'test://aXb/1'],
  ['a{x}a{y}b', 'a1a2'],
  ['aa{x}', 'aa'],
])('%s is not %s', (template, uri) => {
  expect(new UriTemplate(template).match(uri)).toBeUndefined();
});

// With a regular expression the time grew with the fourth power of the length, and the mock stood still.
test('a long URI that nearly matches is soon told from one that does', () => {
  const shelf = new ResourceShelf({ 'a{x}a{y}a{z}a{w}b': { text: '{{params.w}}' } });
  expect(shelf.read({ uri: 'a'.repeat(1_000_000) }, -32602)).toMatchObject({ code: -32602 });
  expect(shelf.has(`${'a'.repeat(1_000_000)}`)).toBe(false);
  expect(shelf.read({ uri: 'a1a2a3a4ab' }, -32602)).toContain('"text":"4a"');
});
