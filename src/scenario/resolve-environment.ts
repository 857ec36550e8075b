import { Failure } from '../failure.js';
import type { Path, Problem } from './problem.js';
import { Random } from './random.js';
import { compileTemplate } from './template.js';

/** A text with the values of our environment in it; reports where it wants anything else, which `why` it cannot have. */
export function resolveEnvironment(
  text: string,
  why: string,
  path: Path,
  report: (problem: Problem) => void,
): string {
  try {
    const template = compileTemplate(text, {});
    if (template.constant) {
      const context = { seq: 0, session: 0, seed: 1, random: new Random(0), row: 0, echo: '' };
      return String(JSON.parse(template.render(context)));
    }
    report({ path, message: `${why}: expected no other template than {{env NAME}}` });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    report({ path, message: error.message });
  }
  return '';
}
