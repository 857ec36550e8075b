import { setTimeout as sleep } from 'node:timers/promises';
import { nowNs } from '../../../src/clock.js';

/** What a client did within the measured time. */
export interface WindowFigures {
  readonly done: number;
  readonly perSec: number;
  /** CPU of the whole process per thing done. */
  readonly cpuUsEach: number;
}

/** Lets the load that is already running warm up, then counts what is done within the seconds; `count` reads a running total. */
export async function measureWindow(
  warmupSeconds: number,
  seconds: number,
  count: () => number,
): Promise<WindowFigures> {
  await sleep(warmupSeconds * 1000);
  const startNs = nowNs();
  const startCpu = process.cpuUsage();
  const startCount = count();
  await sleep(seconds * 1000);
  const done = count() - startCount;
  const { user, system } = process.cpuUsage(startCpu);
  return { done, perSec: (done * 1e9) / (nowNs() - startNs), cpuUsEach: (user + system) / done };
}
