import dns from 'node:dns';
import { afterEach, expect, test, vi } from 'vitest';
import { rememberedLookup } from './remembered-lookup.js';

type Lookup = ReturnType<typeof rememberedLookup>;
type Answer = (error: NodeJS.ErrnoException | null, found: dns.LookupAddress[]) => void;

afterEach(() => void vi.restoreAllMocks());

/** Replaces the resolver by one that answers when it is told to. */
function heldResolver(): Answer[] {
  const asked: Answer[] = [];
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, answer: Answer) => {
    asked.push(answer);
  }) as never);
  return asked;
}

function ask(lookup: Lookup, all = false): Promise<unknown> {
  return new Promise((resolve) => {
    lookup('h.example', { all }, (error, address) => resolve(error === null ? address : error.message));
  });
}

const both = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];

test('asks once for all who ask meanwhile, and never again', async () => {
  const asked = heldResolver();
  const lookup = rememberedLookup();
  const first = [ask(lookup), ask(lookup, true), ask(lookup)];
  expect(asked).toHaveLength(1);
  asked[0]!(null, both);
  expect(await Promise.all(first)).toEqual(['::1', both, '::1']);
  expect(await ask(lookup, true)).toEqual(both);
  expect(asked).toHaveLength(1);
});

test('a failure is told to all who asked, and not remembered', async () => {
  const asked = heldResolver();
  const lookup = rememberedLookup();
  const first = [ask(lookup), ask(lookup)];
  asked[0]!(new Error('no such host'), []);
  expect(await Promise.all(first)).toEqual(['no such host', 'no such host']);
  const again = ask(lookup);
  expect(asked).toHaveLength(2);
  asked[1]!(null, both);
  expect(await again).toBe('::1');
});
