import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { fenced } from '../report/formats/github.js';
import { withoutCommands } from '../text/one-line.js';
import { tell } from './tell.js';

/** Are we a step of a GitHub Actions job? */
export function inActions(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Prints text so that no line of it is taken for a command of a job's log, as names in it come from scenarios and servers. */
export function printForActions(given: string): void {
  const text = withoutCommands(given);
  console.log(inActions() ? fenced(text, randomBytes(16).toString('hex')) : text);
}

/** Adds Markdown to the summary of the step. A summary that cannot be written is no reason to fail the build. */
export function addStepSummary(markdown: string): void {
  const path = process.env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '') return;
  try {
    appendFileSync(path, `${markdown}\n`);
  } catch (error) {
    tell(`warning: no step summary: ${error instanceof Error ? error.message : error}`);
  }
}
