import { clopperPearson } from '../../src/compare/clopper-pearson.js';
import type { ConfidenceInterval } from '../../src/compare/confidence-interval.js';
import { gateOrder, type OverallGate as Gate } from '../../src/compare/gates.js';
import { promisedUpTo } from '../../src/compare/variance-notes.js';
import type { Trial } from './trial.js';

/** A share seen, what was promised of it, and whether the two agree. */
export interface PromiseCheck {
  readonly what: string;
  readonly count: number;
  readonly total: number;
  readonly interval: ConfidenceInterval;
  readonly promise: string;
  /** `not refuted`: the share seen misses the promise, by no more than chance explains. */
  readonly verdict: 'held' | 'not refuted' | 'BROKEN' | 'nothing promised';
}

const mostAlarms = 0.02;
const fewestFinds = 0.95;

/** False alarms among comparisons of equal servers: gate by gate, and of the comparison as a whole, of which nothing is promised. */
export function alarmChecks(trials: readonly Trial[]): PromiseCheck[] {
  const gates = gateOrder.map((gate: Gate) => {
    const count = trials.filter(({ verdicts }) => verdicts[gate] === 'regression').length;
    const interval = clopperPearson(count, trials.length);
    const held = count / trials.length <= mostAlarms;
    return {
      what: `false alarms of ${gate}`,
      count,
      total: trials.length,
      interval,
      promise: 'at most 2 %',
      verdict: held ? 'held' : interval.low <= mostAlarms ? 'not refuted' : 'BROKEN',
    } as const;
  });
  const any = trials.filter(({ outcome }) => outcome === 'regression').length;
  return [
    ...gates,
    {
      what: 'false alarms that would fail a build (exit 4)',
      count: any,
      total: trials.length,
      interval: clopperPearson(any, trials.length),
      promise: '',
      verdict: 'nothing promised',
    },
  ];
}

/** How often the slowed server was found, and whether that is what so many runs a side promise at the variation met. */
export function findCheck(trials: readonly Trial[], runsASide: number, cv: number): PromiseCheck {
  const count = trials.filter(({ found }) => found).length;
  const interval = clopperPearson(count, trials.length);
  const upTo = promisedUpTo(runsASide) ?? 0;
  const promised = cv <= upTo;
  const held = count / trials.length >= fewestFinds;
  return {
    what: 'slowed server found (p50, exit 4)',
    count,
    total: trials.length,
    interval,
    promise: promised
      ? `at least 95 % up to a variation of ${100 * upTo} %`
      : `only promised up to a variation of ${100 * upTo} %`,
    verdict: !promised
      ? 'nothing promised'
      : held
        ? 'held'
        : interval.high >= fewestFinds
          ? 'not refuted'
          : 'BROKEN',
  };
}
