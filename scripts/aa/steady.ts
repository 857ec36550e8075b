import type { Setting } from './setting.js';

/** A paced load well below what either side can do, against a mock that answers after 20 ms, or after 22. */
export function steady(seconds: number): Setting {
  return {
    name: 'steady',
    title: 'A steady 1,000 calls/s; 20 ms against 22 ms',
    about:
      'Open loop, 20 sessions. A is the mock with a delay of 20 ms, B with 22 ms: a timer makes both, so runs differ little. The true change is 10 % of the delay, a little less of the whole response.',
    scenario: {
      name: 'aa-steady',
      workers: 1,
      sessions: { count: 20 },
      warmup: '500ms',
      load: { model: 'rate', perSecond: 1000 },
      duration: `${seconds}s`,
      calls: [{ tool: 'echo', arguments: { message: '{{seq}} {{hex 16}}' }, expect: 'echo' }],
    },
    mockArgs: { A: ['--latency', '20ms'], B: ['--latency', '22ms'] },
  };
}
