// Run: npm run build && node dist/scripts/verdicts/busy-machine.js [runs] [--append]. How often verdicts are sound over ordinary runs beside a
// machine that is kept busy: all cores but one run a busy loop. Ends after six minutes at the latest, and can be gone on with. Writes
// results/verdicts/busy.json and busy.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, machineLine } from '../bench/bench-report.js';
import { disturbedRun } from './disturbed-run.js';
import { judgedPercentiles, RightOrWrong } from './right-or-wrong.js';

interface Seen {
  readonly state: string;
  readonly sound: readonly string[];
  /** By the rule of 0.1.0: suspect where schedule.lag p99 exceeds 1 ms and a tenth of the median. */
  readonly suspectBefore: boolean;
  /** For each percentile: truly disturbed, missed, alarms. */
  readonly verdicts: readonly number[];
  readonly witness: string;
}

const runs = Number(process.argv[2] ?? 40);
const folder = join('results', 'verdicts');
const path = join(folder, 'busy.json');
const kept = process.argv.includes('--append') && existsSync(path);
const seen: Seen[] = kept ? (JSON.parse(readFileSync(path, 'utf8')) as Seen[]) : [];
const keys = ['p50', 'p90', 'p99'] as const;

const machine = machineLine(new Date().toISOString(), describeMachine());
const untilMs = performance.now() + 6 * 60_000;

for (let made = 0; made < runs && performance.now() < untilMs; made++) {
  const run = await disturbedRun('busy machine', 300, 'lognormal(5ms,0.4)');
  const rightOrWrong = new RightOrWrong();
  const line = rightOrWrong.judge(run);
  const { result, witness } = run;
  const response = result.metrics['call.response']!;
  const lag = result.metrics['schedule.lag']!;
  seen.push({
    state: result.validity.state,
    sound: keys.filter((key) => !response.disturbed!.includes(key)),
    suspectBefore: lag.p99 > Math.max(1e6, 0.1 * response.p50),
    verdicts: rightOrWrong.cells(),
    witness,
  });
  const { state, suspectBefore } = seen.at(-1)!;
  console.log(`${seen.length}: ${state}${suspectBefore ? ', suspect before' : ''}; ${line}`);
}

const total = (at: number): number => seen.reduce((sum, { verdicts }) => sum + verdicts[at]!, 0);
const share = (pick: (each: Seen) => boolean): string => `${seen.filter(pick).length} of ${seen.length}`;
const text = `# Ordinary runs beside a busy machine

${machine}

Made by \`scripts/verdicts/busy-machine.ts\`: open-loop runs of 5 s at 300 calls/s against the mock (log-normal around 5 ms), while all cores but one run a busy loop.

| | runs |
| :-- | --: |
| valid by the rule of 0.1.0 (schedule.lag p99 within 1 ms or a tenth of the median) | ${share(({ suspectBefore }) => !suspectBefore)} |
| valid now | ${share(({ state }) => state === 'valid')} |
${keys.map((key) => `| ${key} of call.response holds | ${share(({ sound }) => sound.includes(key))} |`).join('\n')}

Held against ${seen[0]?.witness === 'wire' ? "the kernel's timestamps on the wire" : "the mock's own log"}: how often each percentile was **truly** off by more than 0.2 ms and 10 %, how often that was **missed**, and how often a sound one was called disturbed (**alarm**).

| | truly | missed | alarm |
| :-- | --: | --: | --: |
${judgedPercentiles.map(([key], at) => `| ${key} | ${total(3 * at)} | ${total(3 * at + 1)} | ${total(3 * at + 2)} |`).join('\n')}
`;
console.log(text);
mkdirSync(folder, { recursive: true });
writeFileSync(path, `${JSON.stringify(seen)}\n`);
writeFileSync(join(folder, 'busy.md'), text);
