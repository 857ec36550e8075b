import { describe, expect, test } from 'vitest';
import { HeldReads, type Reader } from './held-reads.js';
import { Turn } from './turn.js';

interface Handled {
  readonly name: string;
  readonly text: string;
  readonly atNs: number;
  readonly sinceNs: number;
}

function setUp(): { held: HeldReads; handled: Handled[]; reader(name: string): Reader } {
  const handled: Handled[] = [];
  const names = new Map<Reader, string>();
  const held = new HeldReads((reader, chunk, atNs, sinceNs) => {
    handled.push({ name: names.get(reader)!, text: chunk.toString(), atNs, sinceNs });
    reader.onHeldRead(chunk, atNs);
  });
  const reader = (name: string): Reader => {
    const made = { onHeldRead: () => {} };
    names.set(made, name);
    return made;
  };
  return { held, handled, reader };
}

const always = (): boolean => true;

describe('held reads', () => {
  test('are handled in the order in which they came, with the moments of their reading', () => {
    const { held, handled, reader } = setUp();
    const [a, b] = [reader('a'), reader('b')];
    held.hold();
    held.keep(a, Buffer.from('one'), 10, 5);
    held.keep(b, Buffer.from('two'), 20, 15);
    held.keep(a, Buffer.from('three'), 30, 25);
    expect(handled).toEqual([]);
    expect(held.release(always)).toBe(true);
    expect(handled).toEqual([
      { name: 'a', text: 'one', atNs: 10, sinceNs: 5 },
      { name: 'b', text: 'two', atNs: 20, sinceNs: 15 },
      { name: 'a', text: 'three', atNs: 30, sinceNs: 25 },
    ]);
    expect(held.keeping).toBe(false);
  });

  test('outlive the buffer that they were read into', () => {
    const { held, handled, reader } = setUp();
    const shared = Buffer.from('first');
    held.hold();
    held.keep(reader('a'), shared, 1, 1);
    shared.write('again');
    held.handleAll();
    expect(handled.map(({ text }) => text)).toEqual(['first']);
  });

  test('keep what comes meanwhile behind them until none is left', () => {
    const { held, handled, reader } = setUp();
    const a = reader('a');
    held.hold();
    held.keep(a, Buffer.from('1'), 1, 1);
    held.keep(a, Buffer.from('2'), 2, 2);
    expect(held.release(() => false)).toBe(false);
    expect(held.keeping).toBe(true);
    held.keep(a, Buffer.from('3'), 3, 3);
    expect(held.release(always)).toBe(true);
    expect(handled.map(({ text }) => text)).toEqual(['1', '2', '3']);
  });

  test('take no more memory than four megabytes: what is beyond is handled at once, and in order', () => {
    const { held, handled, reader } = setUp();
    const a = reader('a');
    held.hold();
    for (let i = 0; i < 5; i++) held.keep(a, Buffer.alloc(1024 * 1024, 48 + i), i, i);
    expect(handled.map(({ atNs }) => atNs)).toEqual([0, 1, 2, 3]);
    held.keep(a, Buffer.alloc(5 * 1024 * 1024, 57), 5, 5);
    expect(handled.map(({ atNs }) => atNs)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(held.keeping).toBe(true);
  });

  test('are handled once, also where handling one asks for all', () => {
    const handled: string[] = [];
    const held: HeldReads = new HeldReads((reader, chunk, atNs) => reader.onHeldRead(chunk, atNs));
    const impatient: Reader = {
      onHeldRead: (chunk) => {
        handled.push(chunk.toString());
        held.handleAll();
      },
    };
    held.hold();
    for (const text of ['1', '2', '3']) held.keep(impatient, Buffer.from(text), 0, 0);
    expect(held.release(always)).toBe(true);
    expect(handled).toEqual(['1', '2', '3']);
  });
});

test('a held read knows how long its bytes may have lain unread, whenever it is handled', () => {
  const turn = new Turn();
  turn.spinning = true;
  turn.idleLook(1_000);
  // That it has looked since the first is known with the second.
  turn.idleLook(2_000);
  turn.beginRead(5_000);
  const unreadNs: number[] = [];
  turn.held.hold();
  turn.keepRead(
    { onHeldRead: (_chunk, atNs) => unreadNs.push(turn.unreadNs(atNs)) },
    Buffer.from('x'),
    5_000,
  );
  turn.held.handleAll();
  expect(unreadNs).toEqual([4_000]);
});
