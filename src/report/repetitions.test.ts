import { expect, test } from 'vitest';
import { madeUpSide } from '../compare/comparison.fixture.js';
import { repeatedFigures } from '../compare/repeated-figures.js';
import { markdownRepetitions, terminalRepetitions } from './repetitions.js';

test('several runs look as they did', async () => {
  const runs = [...madeUpSide({ minute: 0 }), ...madeUpSide({ minute: 1, failed: 90 })];
  const figures = repeatedFigures(runs);
  await expect(
    terminalRepetitions('steady', runs.length, figures, { colour: false, width: 100 }),
  ).toMatchFileSnapshot('./golden/repetitions.txt');
  await expect(markdownRepetitions('steady | <b>', runs.length, figures)).toMatchFileSnapshot(
    './golden/repetitions.md',
  );
});
