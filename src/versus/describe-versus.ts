import { describePlan } from '../scenario/describe-plan.js';
import type { Plan } from '../scenario/plan.js';
import type { Contestant } from './load-targets.js';
import { roundOrder } from './round-order.js';
import { redact, redactAll } from '../text/secrets.js';

/** What a contest would do, for `versus --dry-run`: targets, order, then the load. No secrets in it. */
export function describeVersus(contestants: readonly Contestant[], scenario: Plan, rounds: number): string {
  const names = contestants.map(({ name }) => name);
  return [
    `${contestants.length} targets, ${rounds} rounds, each target started anew for each of its runs:`,
    ...contestants.flatMap(({ name, command, url, readyMs, askedInstead }) => [
      `  ${name}: ${redact(command ?? 'runs already')}`,
      `    ${url === '' ? 'over stdio' : redact(url)}, ready within ${readyMs / 1000} s`,
      ...(askedInstead === null ? [] : [`    asked instead: ${redactAll(askedInstead).join(', ')}`]),
    ]),
    'order:',
    ...roundOrder(names.length, rounds).map(
      (row, at) => `  round ${at + 1}: ${row.map((index) => names[index]).join(', ')}`,
    ),
    '',
    describePlan(scenario).replace(/^target: .*\n/m, ''),
  ].join('\n');
}
