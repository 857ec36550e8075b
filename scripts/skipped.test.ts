import { expect, test } from 'vitest';
import { skipDifferences } from './skipped.mjs';

const list = `# A comment.
[as root]
src/a.test.ts > what root may do anyway

[without Chromium]
src/b.test.ts > the page in Chromium
`;

function differences(statuses: Record<string, string>, when: readonly string[], text = list): string[] {
  const testResults = Object.entries(statuses).map(([name, status]) => {
    const [file, ...titles] = name.split(' > ');
    return {
      name: `/checkout/${file}`,
      assertionResults: [{ ancestorTitles: titles.slice(0, -1), title: titles.at(-1)!, status }],
    };
  });
  return skipDifferences({ testResults }, text, { root: '/checkout', when });
}

const allSkipped = {
  'src/a.test.ts > what root may do anyway': 'skipped',
  'src/b.test.ts > the page in Chromium > draws a chart': 'pending',
  'src/b.test.ts > the text of the page': 'passed',
  'src/c.test.ts > fails': 'failed',
};

test('what is skipped as the list says is no difference, test by test or by a group', () => {
  expect(differences(allSkipped, ['as root', 'without Chromium'])).toEqual([]);
});

test('a test that is skipped without being listed is named, also where it is listed for another machine', () => {
  const also = { ...allSkipped, 'src/c.test.ts > other': 'todo' };
  expect(differences(also, ['without Chromium'])).toEqual([
    'skipped, but not listed: src/a.test.ts > what root may do anyway',
    'skipped, but not listed: src/c.test.ts > other',
  ]);
});

test('a listed test that ran, or is not there any more, is named', () => {
  const ran = { 'src/b.test.ts > the page in Chromium > draws a chart': 'passed' };
  expect(differences(ran, ['as root', 'without Chromium'])).toEqual([
    'listed as skipped, but there is no such test: src/a.test.ts > what root may do anyway',
    'listed as skipped, but it ran: src/b.test.ts > the page in Chromium > draws a chart',
  ]);
});

test('a list with lines under no heading, or without a heading asked for, is wrong', () => {
  expect(differences({}, ['on Mars'], 'src/a.test.ts > x\n[as root]\n')).toEqual([
    'listed under no heading: src/a.test.ts > x',
    'the list has no heading [on Mars]',
  ]);
});
