import { expect, test } from 'vitest';
import { roundOrder } from './round-order.js';

/** How often each ordered pair stands side by side. */
function followers(order: readonly (readonly number[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of order)
    for (let at = 1; at < row.length; at++) {
      const pair = `${row[at - 1]}→${row[at]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  return counts;
}

const sizes = Array.from({ length: 13 }, (_, at) => at + 1);

test.each(sizes)('%i targets: each runs once in every round', (targets) => {
  for (const row of roundOrder(targets, 30))
    expect(row.toSorted((a, b) => a - b)).toEqual(Array.from({ length: targets }, (_, at) => at));
});

test.each(sizes.slice(1))('%i targets: a whole design is balanced in places and in followers', (targets) => {
  const rounds = targets % 2 === 0 ? targets : 2 * targets;
  const order = roundOrder(targets, rounds);
  const counts = followers(order);
  expect(counts.size).toBe(targets * (targets - 1));
  expect(new Set(counts.values())).toEqual(new Set([rounds / targets]));
  for (let place = 0; place < targets; place++) {
    const here = order.map((row) => row[place]);
    for (let target = 0; target < targets; target++)
      expect(here.filter((each) => each === target)).toHaveLength(rounds / targets);
  }
});

test.each(sizes.slice(2))('%i targets: in five rounds nobody always follows the same one', (targets) => {
  const order = roundOrder(targets, 5);
  for (let target = 0; target < targets; target++) {
    const before = order.map((row) => row[row.indexOf(target) - 1]).filter((each) => each !== undefined);
    expect(new Set(before).size).toBeGreaterThan(1);
  }
});

test('two targets take turns in being first', () => {
  expect(roundOrder(2, 4)).toEqual([
    [0, 1],
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
});
