// Run: npm run build && node dist/scripts/verdicts/busy-machine.js [runs] [--append]. How often verdicts are sound over ordinary runs beside a
// machine that is kept busy: all cores but one run a busy loop. Writes results/verdicts/busy.json and busy.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disturbedRun } from './disturbed-run.js';

interface Seen {
  readonly state: string;
  readonly sound: readonly string[];
  /** By the rule of 0.1.0: suspect where schedule.lag p99 exceeds 1 ms and a tenth of the median. */
  readonly suspectBefore: boolean;
}

const runs = Number(process.argv[2] ?? 40);
const folder = join('results', 'verdicts');
const path = join(folder, 'busy.json');
const kept = process.argv.includes('--append') && existsSync(path);
const seen: Seen[] = kept ? (JSON.parse(readFileSync(path, 'utf8')) as Seen[]) : [];
const keys = ['p50', 'p90', 'p99'] as const;

for (let run = 0; run < runs; run++) {
  const { result } = await disturbedRun('busy machine', 300, 'lognormal(5ms,0.4)');
  const response = result.metrics['call.response']!;
  const lag = result.metrics['schedule.lag']!;
  seen.push({
    state: result.validity.state,
    sound: keys.filter((key) => !response.disturbed!.includes(key)),
    suspectBefore: lag.p99 > Math.max(1e6, 0.1 * response.p50),
  });
  const { state, sound, suspectBefore } = seen.at(-1)!;
  console.log(
    `${seen.length}: ${state}, sound: ${sound.join(' ') || 'none'}${suspectBefore ? ', suspect before' : ''}`,
  );
}

const share = (pick: (each: Seen) => boolean): string => `${seen.filter(pick).length} of ${seen.length}`;
const text = `# Ordinary runs beside a busy machine

Made by \`scripts/verdicts/busy-machine.ts\`: open-loop runs of 5 s at 300 calls/s against the mock (log-normal around 5 ms), while all cores but one run a busy loop.

| | runs |
| :-- | --: |
| valid by the rule of 0.1.0 (schedule.lag p99 within 1 ms or a tenth of the median) | ${share(({ suspectBefore }) => !suspectBefore)} |
| valid now | ${share(({ state }) => state === 'valid')} |
${keys.map((key) => `| ${key} of call.response holds | ${share(({ sound }) => sound.includes(key))} |`).join('\n')}
`;
console.log(text);
mkdirSync(folder, { recursive: true });
writeFileSync(path, `${JSON.stringify(seen)}\n`);
writeFileSync(join(folder, 'busy.md'), text);
