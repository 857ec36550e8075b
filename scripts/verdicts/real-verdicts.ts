// Run: npm run build && node dist/scripts/verdicts/real-verdicts.js [rounds]. How often verdicts on percentiles are right, by REAL RUNS whose
// generator is disturbed on purpose. Writes results/verdicts/real.md. Takes half a minute a round; wants a machine to itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDisturbed } from '../../src/result/disturbance.js';
import { exactPercentile } from '../accuracy/truth.js';
import { type Disturbance, disturbedRun } from './disturbed-run.js';

const rounds = Number(process.argv[2] ?? 5);
const perSecond = 400;
const latency = 'lognormal(20ms,0.3)';
const percentiles = [
  ['p50', 50],
  ['p90', 90],
  ['p99', 99],
] as const;
const kinds: [Disturbance, string][] = [
  ['none', 'nothing done to it'],
  ['stopped', 'stopped (SIGSTOP) for 120 ms each second'],
  ['starved', 'starved: two busy loops on its core'],
  ['deaf', 'made deaf: 40 ms of other work in its loop, each 440 ms'],
];

const counts = new Map(
  kinds.map(([kind]) => [kind, percentiles.map(() => ({ truly: 0, missed: 0, alarms: 0, outside: 0 }))]),
);
for (let round = 0; round < rounds; round++) {
  for (const [kind] of kinds) {
    const { result, truth } = await disturbedRun(kind, perSecond, latency);
    const metric = result.metrics['call.response']!;
    const said = percentiles.map(([key, percentile], at) => {
      const truthNs = exactPercentile(truth, percentile);
      const truly = isDisturbed({ seen: metric[key], low: truthNs, high: metric[key] });
      const called = metric.disturbed!.includes(key);
      const count = counts.get(kind)![at]!;
      if (truly) count.truly++;
      if (truly && !called) count.missed++;
      if (!truly && called) count.alarms++;
      // The truth must not lie below the lower end: the way to the mock and back is in the figures, and not in its log.
      if (truthNs < metric.low![key] - 1e6) count.outside++;
      return `${key} ${(metric.low![key] / 1e6).toFixed(1)}–${(metric[key] / 1e6).toFixed(1)} ms, truth ${(truthNs / 1e6).toFixed(1)}${called ? ' (disturbed)' : ''}`;
    });
    console.log(
      `${kind}: ${said.join('; ')}; paused ${((result.generator.pausedShare ?? 0) * 100).toFixed(2)} %`,
    );
  }
}

const rows = kinds.map(([kind, label]) => {
  const cells = counts.get(kind)!.flatMap(({ truly, missed, alarms }) => [truly, missed, alarms]);
  return `| ${label} | ${cells.join(' | ')} | ${counts.get(kind)!.reduce((sum, { outside }) => sum + outside, 0)} |`;
});
const text = `# Verdicts on percentiles, by real runs

Made by \`scripts/verdicts/real-verdicts.ts\`: ${rounds} runs a row of 5 s at ${perSecond} calls/s against the mock, which answers after a log-normal delay around 20 ms and writes down what it really took; that is the truth. For each percentile of call.response: how often it was **truly** off by more than 0.2 ms and 10 %, how often that was **missed**, how often a sound one was called disturbed (**alarm**); and how often the truth lay below the lower end given.

| generator | ${percentiles.map(([p]) => `${p} truly | missed | alarm`).join(' | ')} | truth below the end |
| :-- | ${percentiles.map(() => '--: | --: | --:').join(' | ')} | --: |
${rows.join('\n')}
`;
console.log(text);
mkdirSync(join('results', 'verdicts'), { recursive: true });
writeFileSync(join('results', 'verdicts', 'real.md'), text);
