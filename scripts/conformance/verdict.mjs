// What the outcome of a scenario means, beside the list of what is left out.

/**
 * Reads the list of expected failures: the suite's own format, in which each entry is a scenario, or a scenario and one of its checks
 * (`scenario:check`), and has a reason behind a `#`. Throws where one has none.
 */
export function readExpected(text) {
  const expected = { server: new Map(), client: new Map() };
  let leg;
  for (const [index, line] of text.split('\n').entries()) {
    const heading = /^(server|client):/.exec(line)?.[1];
    if (heading !== undefined) leg = heading;
    const entry = /^\s+- ([^\s#]+)(?:\s+#\s*(\S.*))?$/.exec(line);
    if (entry === null) continue;
    const [, name, reason] = entry;
    if (leg === undefined || reason === undefined)
      throw new Error(`line ${index + 1}: ${name}: expected a reason behind it, such as "- ${name} # why"`);
    expected[leg].set(name, reason);
  }
  return expected;
}

/**
 * Judges one scenario: `passed`, `failed` with what failed, or `left out` with the reason. A check that fails, or warns, fails its scenario
 * unless it is expected to; what is expected to fail and does not is stale, and fails too.
 */
export function judge({ scenario, checks, complaint }, expected) {
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const wholly = expected.get(scenario);
  if (wholly !== undefined) {
    return bad.length > 0 || complaint !== undefined
      ? { verdict: 'left out', lines: [wholly] }
      : { verdict: 'failed', lines: ['passes, and is listed as an expected failure: take it out'] };
  }
  const reasons = new Map();
  const lines = [];
  for (const check of bad) {
    const reason = expected.get(`${scenario}:${check.id}`);
    if (reason === undefined) lines.push(describe(check));
    else reasons.set(check.id, reason);
  }
  for (const name of expected.keys()) {
    const [of, id] = name.split(':');
    if (of !== scenario || id === undefined || reasons.has(id)) continue;
    if (checks.some((check) => check.id === id && check.status === 'SUCCESS'))
      lines.push(`${id} passes, and is listed as an expected failure: take it out`);
  }
  if (complaint !== undefined) lines.push(complaint);
  if (checks.every(({ status }) => status !== 'SUCCESS') && lines.length === 0)
    lines.push('no check of it passed');
  return lines.length > 0
    ? { verdict: 'failed', lines: counted(lines) }
    : { verdict: 'passed', lines: [...reasons].map(([id, reason]) => `without ${id}: ${reason}`) };
}

// A check is made of every message that it applies to.
function counted(lines) {
  const times = new Map();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  return [...times].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
}

function describe({ id, status, description, errorMessage }) {
  const what = status === 'WARNING' ? `${id} (a warning)` : id;
  return `${what}: ${errorMessage ?? description}`;
}

/** The entries of the list that no scenario of a leg was called by: nothing says whether they still hold. */
export function unknownEntries(expected, scenarios) {
  return [...expected.keys()].filter((name) => !scenarios.includes(name.split(':')[0]));
}
