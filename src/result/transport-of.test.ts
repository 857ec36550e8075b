import { expect, test } from 'vitest';
import { transportKinds } from '../transport/transport-kinds.js';
import { transportOf } from './transport-of.js';

test('a result says which transport it was made over', () => {
  expect(transportOf({ transport: 'sse' })).toBe(transportKinds.sse);
});

test('of a transport that only a newer version knows, all that any has may be in the result', () => {
  const { sse } = transportKinds;
  const kind = transportOf({ transport: 'carrier pigeon' as 'sse' });
  expect(kind).toMatchObject({ name: 'carrier pigeon', title: 'carrier pigeon' });
  expect(kind.steps).toEqual(expect.arrayContaining([...sse.steps]));
  expect(kind.marks).toEqual(expect.arrayContaining([...sse.marks]));
});
