// Run: npm run build && node dist/scripts/verdicts/real-verdicts.js [rounds]. How often verdicts on percentiles are right, by REAL RUNS whose
// generator is disturbed on purpose. Writes results/verdicts/real.md. Takes three quarters of a minute a round, six minutes at the most; wants a
// machine to itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchTheft } from '../bench/undisturbed.js';
import { type Disturbance, disturbedRun } from './disturbed-run.js';
import { judgedPercentiles, RightOrWrong } from './right-or-wrong.js';

interface Kind {
  readonly disturbance: Disturbance;
  readonly label: string;
  readonly perSecond: number;
  readonly latency: string;
}

const rounds = Number(process.argv[2] ?? 5);
const untilMs = performance.now() + 6 * 60_000;
const usual = { perSecond: 400, latency: 'lognormal(20ms,0.3)' };
const kinds: Kind[] = [
  { disturbance: 'none', label: 'nothing done to it', ...usual },
  {
    disturbance: 'none',
    label: 'nothing done to it, 0.5 ms at 100/s',
    perSecond: 100,
    latency: 'lognormal(0.5ms,0.3)',
  },
  { disturbance: 'stopped', label: 'stopped (SIGSTOP) for 120 ms each second', ...usual },
  { disturbance: 'starved', label: 'starved: two busy loops on its core', ...usual },
  { disturbance: 'blocked', label: 'blocked: 40 ms of other work in its loop, each 440 ms', ...usual },
];

const seen = kinds.map(() => new RightOrWrong());
const stolen = watchTheft();
let made = 0;
let witness = '';
for (; made < rounds && (made === 0 || performance.now() < untilMs); made++) {
  for (const [at, { disturbance, label, perSecond, latency }] of kinds.entries()) {
    const run = await disturbedRun(disturbance, perSecond, latency);
    witness = run.witness;
    const { heldUpShare = 0 } = run.result.phases[0]!.generator!;
    console.log(`${label}: ${seen[at]!.judge(run)}; held up ${(heldUpShare * 100).toFixed(2)} %`);
  }
}

const stolenShare = stolen();
const truth =
  witness === 'wire'
    ? "the kernel's timestamps of each request and its response on the wire, which are the truth"
    : 'its own log of what each call took, which is the truth, but for what the mock itself was late';
const text = `# Verdicts on percentiles, by real runs

Made by \`scripts/verdicts/real-verdicts.ts\`: ${made} runs a row of 5 s, at 400 calls/s against a mock that answers after a log-normal delay around 20 ms where nothing else is said. They are held against ${truth}. For each percentile of call.response: how often it was **truly** off by more than 0.2 ms and 10 %, how often that was **missed**, how often a sound one was called disturbed (**alarm**); and how often the truth lay below the lower end given.${stolenShare === null ? '' : ` The hypervisor took ${(stolenShare * 100).toFixed(1)} % of the cores meanwhile.`}

| generator | ${judgedPercentiles.map(([p]) => `${p} truly | missed | alarm`).join(' | ')} | truth below the end |
| :-- | ${judgedPercentiles.map(() => '--: | --: | --:').join(' | ')} | --: |
${kinds.map(({ label }, at) => `| ${label} | ${seen[at]!.cells().join(' | ')} | ${seen[at]!.outside} |`).join('\n')}
`;
console.log(text);
mkdirSync(join('results', 'verdicts'), { recursive: true });
writeFileSync(join('results', 'verdicts', 'real.md'), text);
