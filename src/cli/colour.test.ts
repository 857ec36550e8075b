import { expect, test } from 'vitest';
import { wantsColour } from './colour.js';

test.each([
  [undefined, true, {}, true],
  [undefined, false, {}, false],
  [undefined, true, { NO_COLOR: '1' }, false],
  [undefined, true, { NO_COLOR: '' }, true],
  [undefined, false, { FORCE_COLOR: '1' }, true],
  [undefined, false, { FORCE_COLOR: '' }, true],
  [undefined, true, { FORCE_COLOR: '0' }, false],
  [undefined, false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [true, false, { NO_COLOR: '1' }, true],
  [false, true, { FORCE_COLOR: '1' }, false],
])('--color %s, terminal %s, %j: %s', (flag, isTerminal, environment, wanted) => {
  expect(wantsColour(flag, isTerminal, environment)).toBe(wanted);
});
