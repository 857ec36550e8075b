import { expect, it } from 'vitest';
import { seededRandom } from '../../src/compare/seeded-random.js';
import { Deck } from './deck.js';

it.each([
  [40, 10, 40],
  [40, 5, 40],
  [37, 10, 40],
  [10, 10, 7],
  [13, 5, 100],
])('deals %i cards in hands of %i evenly, %i times', (cards, count, hands) => {
  const deck = new Deck(
    Array.from({ length: cards }, (_, card) => card),
    seededRandom(1),
  );
  const dealt = Array.from({ length: cards }, () => 0);
  for (let hand = 1; hand <= hands; hand++) {
    const held = deck.deal(count);
    expect(new Set(held).size).toBe(count);
    for (const card of held) dealt[card]!++;
    expect(Math.max(...dealt) - Math.min(...dealt)).toBeLessThanOrEqual(1);
  }
});

it('deals disjoint hands as long as the deck lasts, in an order that the seed decides', () => {
  const cards = Array.from({ length: 40 }, (_, card) => card);
  const hands = (seed: number): number[][] => {
    const deck = new Deck(cards, seededRandom(seed));
    return [1, 2, 3, 4].map(() => deck.deal(10));
  };
  expect(
    hands(1)
      .flat()
      .sort((a, b) => a - b),
  ).toEqual(cards);
  expect(hands(1)).toEqual(hands(1));
  expect(hands(1)).not.toEqual(hands(2));
});

it('does not deal more than there is', () => {
  expect(() => new Deck([1, 2], Math.random).deal(3)).toThrow(/needs as many cards/);
});
