import { expect, test } from 'vitest';
import { declaredCapabilities } from './declared-capabilities.js';

test.each([
  ['nothing to answer', [], []],
  ['an elicitation', [{ action: 'accept', content: { ok: true } }], ['elicitation']],
  ['roots', [{ roots: [] }], ['roots']],
  [
    'sampling',
    [{ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm', stopReason: 'endTurn' }],
    ['sampling'],
  ],
  ['two kinds', [{ action: 'decline' }, { roots: [] }], ['elicitation', 'roots']],
  ['what may be anything', [{ x: 1 }], ['elicitation', 'roots', 'sampling']],
  ['what is no object', [null], ['elicitation', 'roots', 'sampling']],
] as const)('%s', (_, answers, names) => {
  expect(Object.keys(declaredCapabilities(answers as never)).toSorted()).toEqual(names);
});
