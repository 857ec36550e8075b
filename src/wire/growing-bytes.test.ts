import { expect, test } from 'vitest';
import { GrowingBytes } from './growing-bytes.js';

const textOf = (store: GrowingBytes) => store.bytes.toString('latin1', 0, store.length);

test('holds what was appended, in order', () => {
  const store = new GrowingBytes();
  let expected = '';
  for (let i = 0; i < 1000; i++) {
    const text = `${i},`;
    store.append(Buffer.from(`<${text}>`), 1, 1 + text.length);
    store.appendByte(10);
    expected += `${text}\n`;
  }
  expect(textOf(store)).toBe(expected);
});

test('takes no memory before it is used, and gives much of it back', () => {
  const store = new GrowingBytes();
  expect(store.bytes.length).toBe(0);
  store.append(Buffer.alloc(100_000, 120), 0, 100_000);
  store.clear();
  expect([store.length, store.bytes.length]).toEqual([0, 0]);
  store.appendByte(65);
  const kept = store.bytes;
  store.clear();
  store.appendByte(66);
  expect(store.bytes).toBe(kept);
  expect(textOf(store)).toBe('B');
});
