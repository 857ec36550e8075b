import { describe, expect, it } from 'vitest';
import { defaultFloorNs, defaultMargins, gateOrder, gateSequence } from './gates.js';
import type { Gate } from './gates.js';
import type { Verdict } from './verdict.js';

const decided = (verdicts: Partial<Record<Gate, Verdict>>): string[] =>
  gateSequence(verdicts)
    .steps.filter((step) => step.decides)
    .map((step) => step.gate);

describe('the gates', () => {
  it('have a margin each, and no latency change below 0.1 ms matters', () => {
    expect(gateOrder.map((gate) => defaultMargins[gate])).toEqual([0.001, 0.05, 0.1, 0.05]);
    expect(defaultFloorNs).toBe(0.1e6);
  });

  it('are tested in their order, whatever the order they are given in', () => {
    const { steps } = gateSequence({
      throughput: 'no change',
      p99: 'improvement',
      p50: 'no change',
      errors: 'no change',
    });
    expect(steps.map((step) => step.gate)).toEqual(['errors', 'p50', 'p99', 'throughput']);
  });

  it('go on after every verdict: changed, not changed, or changed by an uncertain amount', () => {
    for (const verdict of [
      'regression',
      'improvement',
      'slower, size uncertain',
      'faster, size uncertain',
      'no change',
    ] as const)
      expect(decided({ errors: verdict, p50: verdict, p99: verdict })).toEqual(['errors', 'p50', 'p99']);
  });

  it('stop at the first without one: what comes later is shown and decides nothing', () => {
    const found = gateSequence({
      errors: 'no change',
      p50: 'inconclusive',
      p99: 'regression',
      throughput: 'inconclusive',
    });
    expect(found).toEqual({
      steps: [
        { gate: 'errors', verdict: 'no change', decides: true },
        { gate: 'p50', verdict: 'inconclusive', decides: true },
        { gate: 'p99', verdict: 'regression', decides: false },
        { gate: 'throughput', verdict: 'inconclusive', decides: false },
      ],
      stoppedAt: 'p50',
      regression: false,
    });
  });

  it('fail on a regression before the stop, and skip what was not asked for', () => {
    expect(gateSequence({ p50: 'regression', p99: 'inconclusive' })).toMatchObject({
      regression: true,
      stoppedAt: 'p99',
    });
    expect(gateSequence({ throughput: 'regression' })).toMatchObject({
      regression: true,
      stoppedAt: undefined,
    });
    expect(gateSequence({ p50: 'slower, size uncertain' }).regression).toBe(false);
    expect(gateSequence({})).toEqual({ steps: [], stoppedAt: undefined, regression: false });
  });
});
