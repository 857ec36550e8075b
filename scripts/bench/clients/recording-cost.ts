import { Recorder } from '../../../src/stats/recorder.js';
import { say } from '../child-program.js';

// A program: what writing a call down costs, by itself: all that the recorder is told of a call that ends ok.

export interface RecordingFigures {
  readonly nsPerCall: number;
  /** Handing over what a second has gathered, once a second. */
  readonly nsPerInterval: number;
}

const calls = 1 << 16;
const services = latencies();
const recorder = new Recorder(1, 1);
for (let i = 0; i < 10; i++) recordAll();
const turns = Array.from({ length: 15 }, () => {
  const startNs = cpuNs();
  recordAll();
  const recordedNs = cpuNs();
  recorder.takeInterval();
  return [(recordedNs - startNs) / calls, cpuNs() - recordedNs] as const;
});
const middle = (which: 0 | 1): number => turns.map((turn) => turn[which]).sort((a, b) => a - b)[7]!;
say({ nsPerCall: middle(0), nsPerInterval: middle(1) } satisfies RecordingFigures);

/** CPU time and not the clock's: who else uses this machine is no cost of recording. */
function cpuNs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

function recordAll(): void {
  let atNs = 1e15;
  for (let i = 0; i < calls; i++) {
    const serviceNs = services[i]!;
    recorder.started(0, 0);
    recorder.ok(0, 0, atNs, i & 1023, 0, atNs + 2000 + (i & 4095), atNs + serviceNs, i & 2047);
    recorder.accepted(0, 0, serviceNs >> 1, i & 1023);
    recorder.answered(0, 0, atNs + (serviceNs >> 1), atNs + serviceNs, i & 1023, i & 2047);
    atNs += 12_000;
  }
}

/** A log-normal around 4 ms, as 100 sessions × 4 in flight give it. */
function latencies(): Int32Array {
  let seed = 1;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Int32Array.from({ length: calls }, () => Math.round(10_000 + 4e6 * Math.exp(0.3 * normal())));
}
