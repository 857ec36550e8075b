import { Failure } from '../failure.js';
import { durationExpected, parseDuration } from './duration.js';
import { parseRate, rateExpected } from './rate.js';

export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** One rule such as `p(99) < 250ms for 10s`, read. */
export interface ThresholdRule {
  readonly measure: 'percentile' | 'mean' | 'min' | 'max' | 'count' | 'rate';
  /** 99 for `p(99)`; null for the other measures. */
  readonly percentile: number | null;
  readonly operator: Operator;
  /** In `unit`: nanoseconds, a share of 1 (0.1% is 0.001), events per second, or a plain count. */
  readonly limit: number;
  readonly unit: 'ns' | 'share' | 'perSec' | 'count';
  /** With `for 10s` the rule must hold in every stretch of this length; null: over the whole run. */
  readonly windowNs: number | null;
}

const form = 'a rule such as "p(99) < 250ms", "mean < 20ms", "rate < 0.1%", "rate > 500/s" or "count >= 100"';

/** Reads a rule, or throws a Failure that says what was expected. */
export function parseThresholdRule(text: string): ThresholdRule {
  const match = /^\s*(p\(\s*[\d.]+\s*\)|[a-z]+)\s*(<=|>=|==|!=|<|>)\s*(\S+?)\s*(?:\s+for\s+(\S+)\s*)?$/i.exec(
    text,
  );
  if (match === null) throw new Failure(`expected ${form}, found "${text}"`);
  const [, what, operator, limit, window] = match as unknown as [string, string, Operator, string, string?];
  const { measure, percentile } = readMeasure(what);
  return { measure, percentile, operator, ...readLimit(measure, limit, what), windowNs: readWindow(window) };
}

function readMeasure(text: string): Pick<ThresholdRule, 'measure' | 'percentile'> {
  const percentile = /^p\(\s*(\d+(?:\.\d+)?)\s*\)$/.exec(text);
  if (percentile) {
    const value = Number(percentile[1]);
    if (value > 0 && value < 100) return { measure: 'percentile', percentile: value };
    throw new Failure(
      `expected a percentile above 0 and below 100 such as p(99.9), found ${text} (for 100 there is max)`,
    );
  }
  switch (text) {
    case 'mean':
    case 'min':
    case 'max':
    case 'count':
    case 'rate':
      return { measure: text, percentile: null };
    default:
      throw new Failure(
        `expected one of p(99), mean, min, max, count, rate before the sign, found "${text}"`,
      );
  }
}

function readLimit(
  measure: ThresholdRule['measure'],
  text: string,
  what: string,
): Pick<ThresholdRule, 'limit' | 'unit'> {
  if (measure === 'count') {
    if (/^\d+$/.test(text)) return { limit: Number(text), unit: 'count' };
    throw new Failure(`count is compared with a whole number such as 100, found "${text}"`);
  }
  if (measure === 'rate') {
    const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
    if (percent && Number(percent[1]) <= 100) return { limit: Number(percent[1]) / 100, unit: 'share' };
    const perSec = parseRate(text);
    if (perSec !== null) return { limit: perSec, unit: 'perSec' };
    throw new Failure(`rate is compared with a percentage such as 0.1%, or ${rateExpected}, found "${text}"`);
  }
  const ns = parseDuration(text);
  if (ns !== null) return { limit: ns, unit: 'ns' };
  throw new Failure(`${what} is compared with ${durationExpected}, found "${text}"`);
}

function readWindow(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ns = parseDuration(text);
  if (ns !== null && ns >= 1e9 && ns % 1e9 === 0) return ns;
  throw new Failure(`expected whole seconds after "for", such as for 10s, found "${text}"`);
}
