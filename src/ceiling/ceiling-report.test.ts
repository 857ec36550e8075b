import { expect, test } from 'vitest';
import { judgeCeiling } from './ceiling-report.js';

const posts = { perSec: 10_000, refusedShare: 0, clientBusy: 0.5 };
const calls = { perSec: 2000, clientBusy: 0.5 };

test.each([
  ['calls far below POSTs', posts, calls, 'tool-path', 'a call takes 400 µs'],
  ['and the flood was held up by us', { ...posts, clientBusy: 0.99 }, calls, 'tool-path', 'at least 400 µs'],
  ['calls as fast as POSTs', posts, { ...calls, perSec: 9000 }, 'http-front', 'nearly as fast'],
  [
    'and the flood was held up by us',
    { ...posts, clientBusy: 0.99 },
    { ...calls, perSec: 9000 },
    'unclear',
    'this process',
  ],
  ['calls twice as fast as POSTs', posts, { ...calls, perSec: 20_000 }, 'unclear', '--connections'],
  ['the generator at its limit', posts, { ...calls, clientBusy: 0.95 }, 'unclear', 'the generator'],
  ['POSTs refused', { ...posts, refusedShare: 0.2 }, calls, 'unclear', 'refused'],
  ['no POST accepted', { ...posts, perSec: 0 }, calls, 'unclear', 'no POST was accepted'],
  ['no call answered', posts, { ...calls, perSec: 0 }, 'unclear', 'no call was answered'],
])('%s', (_, flooded, called, is, why) => {
  const limit = judgeCeiling(flooded, called);
  expect(limit.is).toBe(is);
  expect(limit.why).toContain(why);
});
