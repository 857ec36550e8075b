import { Failure } from '../failure.js';
import { type MetricKey, parseMetricKey } from '../stats/metric-key.js';
import { callMetrics } from '../stats/recorder.js';
import { allHandshakeMetrics } from '../transport/transport-kinds.js';
import { didYouMean } from './did-you-mean.js';
import type { ThresholdRule } from './threshold-rule.js';

const counters = ['calls', 'errors', 'availability'];

/** Reads the key of a metric that there is, or throws a Failure that says what was expected. */
export function knownMetric(text: string): MetricKey {
  const key = parseMetricKey(text);
  const { name, tool, phase } = key;
  const names: string[] = [...callMetrics, ...allHandshakeMetrics(), ...counters];
  if (names.includes(name)) {
    if (tool === null && phase === null) return key;
    const found = text.trim().slice(name.length).trim();
    if (name.startsWith('handshake.'))
      throw new Failure(`${name} is a time of sessions and has no label, found "${found}"`);
    if (name === 'availability')
      throw new Failure(`availability is that of the target as a whole and has no label, found "${found}"`);
    return key;
  }
  const [bare = '', labels] = /^([^{]*)(\{.*\})$/s.exec(name)?.slice(1) ?? [];
  if (names.includes(bare))
    throw new Failure(`expected a label such as {tool:echo} or {phase:main}, found "${labels}"`);
  throw new Failure(
    `there is no metric "${name}"${didYouMean(name, names)} (there are: ${names.join(', ')})`,
  );
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
