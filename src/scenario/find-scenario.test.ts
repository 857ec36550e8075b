import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scenariosCommand } from '../cli/commands/scenarios.js';
import { loadScenario } from './load-scenario.js';
import { findScenario, stockScenarios } from './stock-scenarios.js';

let folder: string;
const home = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-stock-'));
  process.chdir(folder);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});

const ping = 'sessions: 1\nload: { model: count, calls: 1 }\ncalls: [{ method: ping }]\n';

test('every stock scenario asks one question, and is found by its name in any folder', () => {
  for (const { name, file, question } of stockScenarios()) {
    expect(findScenario(name)).toBe(file);
    expect(question).toMatch(/^[A-Z][^.?]*\?$/);
  }
  expect(loadScenario('mixed').data).not.toEqual({});
});

test('a file comes before a stock scenario of its name, a folder does not', () => {
  mkdirSync('burst');
  expect(basename(findScenario('burst'))).toBe('burst.yaml');
  expect(findScenario('burst')).not.toBe('burst.yaml');
  writeFileSync('burst.yaml', ping);
  expect(findScenario('burst')).toBe('burst.yaml');
  writeFileSync('smoke', ping);
  expect(findScenario('smoke')).toBe('smoke');
});

test.each([
  ['smok', 'smok: no such file, and no stock scenario; did you mean "smoke"?'],
  ['mine', 'mine: no such file, and no stock scenario (there are: abandon, burst,'],
  ['my', 'my: no such file, and no stock scenario; did you mean "my1"?'],
  ['scenarios/smoke.yaml', 'scenarios/smoke.yaml: no such file; the stock scenario is "smoke"'],
  ['smoke.yaml', 'smoke.yaml: no such file; the stock scenario is "smoke"'],
  ['other.yaml', 'other.yaml: no such file'],
])('%s is neither', (named, message) => {
  writeFileSync('my1', ping);
  expect(() => loadScenario(named)).toThrow(message);
});

const copy = (given: object) => scenariosCommand(() => undefined).handler({ _: [], $0: '', ...given });

test('a copy runs as it is, with the data that it reads, and replaces nothing', async () => {
  await copy({ name: 'mixed', copy: '' });
  expect(findScenario('mixed')).toBe('mixed.yaml');
  expect(loadScenario('mixed.yaml').scenarioHash).toBe(
    loadScenario(stockScenarios().find(({ name }) => name === 'mixed')!.file).scenarioHash,
  );
  expect(() => copy({ name: 'mixed', copy: 'second.yaml' })).toThrow(/^data.phrases.csv exists already/);
  await copy({ name: 'burst', copy: 'second.yaml' });
  expect(loadScenario('second.yaml').name).toBe('burst');
  expect(() => copy({ name: 'burst', copy: 'second.yaml' })).toThrow('second.yaml exists already');
  expect(() => copy({ name: 'brust', copy: '' })).toThrow(
    'there is no stock scenario "brust"; did you mean "burst"?',
  );
});
