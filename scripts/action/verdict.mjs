const reasons = ['regression', 'thresholds', 'suspect'];

/** Reads `fail-on`; `complain` gets what is wrong with it. */
export function parseFailOn(text, complain) {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 1 && words[0] === 'never') return [];
  const wrong = words.find((word) => !reasons.includes(word));
  if (words.length === 0 || wrong !== undefined)
    complain(`fail-on: expected never, or any of ${reasons.join(', ')}, found "${text}"`);
  return words;
}

/**
 * What the runs came to, and what the job should exit with. Several things may be wrong at once, and `run` exits with only one of them:
 * so the files are asked, not the exit code alone.
 */
export function judge({ exitCode, results, comparison, comparable, failOn }) {
  const found = {
    thresholds: results.some(({ thresholds }) => thresholds.some(({ state }) => state === 'fail')),
    regression: comparison?.outcome === 'regression',
    suspect: results.some(({ validity }) => validity.state === 'suspect'),
    incomparable: !comparable || comparison?.outcome === 'refused',
    undecided: results.some(({ thresholds }) => thresholds.some(({ state }) => state === 'undecided')),
    inconclusive: comparison?.outcome === 'inconclusive',
  };
  if (![0, 3, 4, 99].includes(exitCode)) return { verdict: 'failed', failWith: exitCode };
  const fails =
    (found.thresholds && failOn.includes('thresholds') && 99) ||
    (found.regression && failOn.includes('regression') && 4) ||
    ((found.suspect || found.incomparable || exitCode === 3) && failOn.includes('suspect') && 3) ||
    0;
  const verdict = Object.keys(found).find((name) => found[name]) ?? 'passed';
  return { verdict, failWith: fails };
}
