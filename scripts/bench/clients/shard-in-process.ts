import { setTimeout as sleep } from 'node:timers/promises';
import { nowNs } from '../../../src/clock.js';
import { ShardRunner } from '../../../src/load/shard-runner.js';
import { planScenario } from '../../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { Recorder } from '../../../src/stats/recorder.js';
import { createSseTransport } from '../../../src/transport/sse/create-sse-transport.js';
import { programOptions, say } from '../child-program.js';

// A program: one worker's part of a run without its thread, in which recording can be switched off, to see what it takes.

export interface ShardOptions {
  readonly url: string;
  readonly scenario: ScenarioInput;
  /** false: calls are counted and nothing of them is timed. */
  readonly recording: boolean;
}

export interface ShardFigures {
  readonly cpuUsEach: number;
  readonly ok: number;
}

const { url, scenario, recording } = programOptions<ShardOptions>();
if (!recording) {
  Recorder.prototype.ok = function countOnly(phase, operation) {
    this.tally(phase, operation).outcomes.ok++;
    this.okTotal++;
  };
  Recorder.prototype.accepted = () => {};
  Recorder.prototype.answered = () => {};
}
const plan = planScenario(scenario, { target: url });
let opened: () => void = () => {};
let drained: () => void = () => {};
const runner = new ShardRunner(
  {
    plan,
    shard: { index: 0, of: 1 },
    spin: false,
    clientVersion: '1',
    createTransport: (turn) => createSseTransport(plan, new URL(url).hostname, turn),
  },
  { onOpened: () => opened(), onInterval: () => {}, onDrained: () => drained() },
);
await new Promise<void>((resolve) => {
  opened = resolve;
  runner.openFirst();
});
await new Promise<void>((resolve) => {
  opened = resolve;
  runner.openAll(nowNs());
});
const end = new Promise<void>((resolve) => (drained = resolve));
runner.start(nowNs());
await sleep(plan.warmupNs / 1e6);
const startCpu = process.cpuUsage();
await end;
const { user, system } = process.cpuUsage(startCpu);
const ok = (await runner.finish()).tallies[1]!.outcomes.ok;
say({ cpuUsEach: (user + system) / ok, ok } satisfies ShardFigures);
