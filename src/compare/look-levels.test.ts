import { expect, test } from 'vitest';
import { defaultLevels } from './levels.js';
import { levelsForLook, nothingSpent, spend } from './look-levels.js';

test('a single look has what one comparison has', () => {
  const levels = levelsForLook(1, nothingSpent());
  for (const kind of ['ranks', 'others'] as const)
    for (const use of ['decision', 'equivalence'] as const)
      expect(levels[kind][use]).toBeCloseTo(defaultLevels[kind][use], 12);
});

test('several looks together spend no more than one', () => {
  const spent = nothingSpent();
  for (let look = 1; look <= 3; look++) spend(spent, levelsForLook(3, spent), 5, 5 * look);
  for (const kind of ['ranks', 'others'] as const)
    for (const use of ['decision', 'equivalence'] as const) {
      const sum = spent[kind][use].reduce((total, alpha) => total + alpha, 0);
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThanOrEqual(1 - defaultLevels[kind][use] + 1e-12);
    }
  expect(() => levelsForLook(3, spent)).toThrow('used up');
});
