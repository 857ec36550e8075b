import { Failure } from '../failure.js';
import { callMetrics } from '../stats/recorder.js';
import { allHandshakeMetrics } from '../transport/transport-kinds.js';
import { didYouMean } from './did-you-mean.js';
import type { ThresholdRule } from './threshold-rule.js';

/** A metric such as `call.response{tool:echo,phase:bursts}`, read. */
export interface MetricKey {
  readonly name: string;
  readonly tool: string | null;
  readonly phase: string | null;
}

const counters = ['calls', 'errors', 'availability'];

/** Reads a metric's key, or throws a Failure that says what was expected. */
export function parseMetricKey(key: string): MetricKey {
  const match = /^([^{}]+)(?:\{(.*)\})?$/s.exec(key.trim());
  const name = match?.[1]!.trim() ?? '';
  const names: string[] = [...callMetrics, ...allHandshakeMetrics(), ...counters];
  if (match === null || !names.includes(name)) {
    const shown = match === null ? key : name;
    throw new Failure(
      `there is no metric "${shown}"${didYouMean(shown, names)} (there are: ${names.join(', ')})`,
    );
  }
  const labels = { tool: null as string | null, phase: null as string | null };
  for (const part of match[2]?.split(',') ?? []) {
    const label = /^\s*(tool|phase)\s*:\s*(.*\S)\s*$/s.exec(part);
    if (label === null) {
      throw new Failure(`expected a label such as {tool:echo} or {phase:main}, found "{${match[2]}}"`);
    }
    labels[label[1] as 'tool' | 'phase'] = label[2]!;
  }
  if (name.startsWith('handshake.') && match[2] !== undefined) {
    throw new Failure(`${name} is a time of sessions and has no label, found "{${match[2]}}"`);
  }
  if (name === 'availability' && match[2] !== undefined) {
    throw new Failure(
      `availability is that of the target as a whole and has no label, found "{${match[2]}}"`,
    );
  }
  return { name, ...labels };
}

/** Throws a Failure where a rule cannot be asked of a metric: a percentile of a count, a share of a time. */
export function checkRuleFits(
  { name, tool, phase }: MetricKey,
  { measure, unit, windowNs }: ThresholdRule,
): void {
  if (windowNs !== null && (tool !== null || !['call.response', ...counters].includes(name))) {
    throw new Failure(
      '"for" can be asked of call.response, calls, errors and availability, over all tools: only these are kept second by second',
    );
  }
  if (tool !== null && phase !== null && !['call.response', ...counters].includes(name)) {
    throw new Failure(`${name} is kept by tool and by phase, but not by both at once: name one of them`);
  }
  if (name === 'availability') {
    if (measure === 'rate' && unit === 'share') return;
    throw new Failure('availability takes rules such as "rate > 99.9%"');
  }
  if (measure === 'count') return;
  if (name === 'errors' && unit !== 'share') {
    throw new Failure('errors takes rules such as "rate < 0.1%" or "count < 5"');
  }
  if (name === 'calls' && unit !== 'perSec') {
    throw new Failure('calls takes rules such as "rate > 500/s" or "count >= 100"');
  }
  if (!counters.includes(name) && measure === 'rate') {
    throw new Failure(
      `${name} is a time and takes rules such as "p(99) < 250ms", "mean < 20ms" or "count >= 100"`,
    );
  }
}
