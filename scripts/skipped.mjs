// What a run of the suite skipped, held against the list of what it should skip.

/**
 * Compares the skipped tests in vitest's JSON report with a list: lines `file > group > test` under headings `[when]`, of which
 * those count that are in `when`. A line may name a group. Returns one line for each difference.
 */
export function skipDifferences(report, list, { root, when }) {
  const tests = report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      name: [file.slice(root.length + 1).replaceAll('\\', '/'), ...ancestorTitles, title].join(' > '),
      skipped: status !== 'passed' && status !== 'failed',
    })),
  );
  const { expected, wrong } = readList(list, when);
  const isOf = (entry, name) => name === entry || name.startsWith(`${entry} > `);
  const unlisted = tests
    .filter(({ name, skipped }) => skipped && !expected.some((entry) => isOf(entry, name)))
    .map(({ name }) => `skipped, but not listed: ${name}`);
  const unskipped = expected.flatMap((entry) => {
    const named = tests.filter(({ name }) => isOf(entry, name));
    if (named.length === 0) return [`listed as skipped, but there is no such test: ${entry}`];
    return named
      .filter(({ skipped }) => !skipped)
      .map(({ name }) => `listed as skipped, but it ran: ${name}`);
  });
  return [...wrong, ...unlisted, ...unskipped];
}

function readList(list, when) {
  const headings = [];
  const expected = [];
  const wrong = [];
  for (const line of list.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const heading = /^\[(.+)\]$/.exec(line)?.[1];
    if (heading !== undefined) headings.push(heading);
    else if (headings.length === 0) wrong.push(`listed under no heading: ${line}`);
    else if (when.includes(headings.at(-1))) expected.push(line);
  }
  const unknown = when.filter((each) => !headings.includes(each));
  return { expected, wrong: [...wrong, ...unknown.map((each) => `the list has no heading [${each}]`)] };
}
