import { Histogram } from '../../src/stats/histogram.js';
import { type EdgedTimes, isDisturbed, type Pauses, percentileEnds } from '../../src/result/disturbance.js';

/** A generator whose loop, calls and disturbances are drawn, so that the truth about every call is known. Times in ns. */
export interface SimulatedLoop {
  readonly calls: number;
  readonly perSecond: number;
  /** What the server takes: log-normal. */
  readonly medianNs: number;
  readonly sigma: number;
  /** Own work for each call written and each answer read. */
  readonly writeNs: number;
  readonly readNs: number;
  /** Work of its own in between, such as collecting garbage: how often, and how long. */
  readonly ownPerSecond: number;
  readonly ownNs: number;
  /** Times in which it does not run: how often, and how long at the most (uniform from half of it on). */
  readonly pausesPerSecond: number;
  readonly pauseNs: number;
  /** How the generator knows of them: by waits that the system counts, by timers that come late, or by the share of the time that a hypervisor took. */
  readonly pauseKind: 'without a core' | 'stopped' | 'stolen';
  /** How long it waits for a core when woken, on average (exponential). */
  readonly wakeNs: number;
  readonly spinning: boolean;
}

export interface SimulatedPercentile {
  readonly percentile: number;
  readonly truthNs: number;
  readonly seenNs: number;
  readonly trulyDisturbed: boolean;
  readonly calledDisturbed: boolean;
}

const sleptNs = 50_000;
const briefNs = 100_000;
const sweepNs = 10e6;
const timerSlackNs = 3e6;
const lookNs = 10_000;

/** Runs the loop, records its calls as the generator does, and judges them by the very functions that a run is judged by. */
export function simulateLoop(loop: SimulatedLoop, random: () => number): SimulatedPercentile[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const gapNs = 1e9 / loop.perSecond;
  const endNs = loop.calls * gapNs;
  const pauses = drawn(loop.pausesPerSecond, endNs, random).map((atNs) => ({
    atNs,
    toNs: atNs + loop.pauseNs * (0.5 + random() / 2),
  }));
  const ownWork = drawn(loop.ownPerSecond, endNs, random);
  const truth = Array.from({ length: loop.calls }, () =>
    Math.round(loop.medianNs * Math.exp(loop.sigma * normal())),
  );
  const seen = new Histogram();
  const least = new Histogram();
  const lag = new Float64Array(loop.calls);
  const arrivals: { atNs: number; call: number }[] = [];
  let [now, nextDue, nextPause, nextOwn] = [0, 0, 0, 0];
  let [turnEndNs, lookedNs, stolenNs] = [-1e9, -1e9, 0];
  let done = 0;
  // Time passes; whatever pauses fall into it make it longer.
  const pass = (ns: number): void => {
    let toNs = now + ns;
    while (nextPause < pauses.length && pauses[nextPause]!.atNs < toNs) {
      const { atNs, toNs: pausedTo } = pauses[nextPause++]!;
      toNs += Math.max(0, pausedTo - Math.max(atNs, now));
    }
    now = toNs;
  };
  // It sleeps until then, or for longer where it is paused at that moment; returns since when.
  const sleepUntil = (ns: number): number => {
    now = ns;
    let pausedNs = ns;
    for (; nextPause < pauses.length && pauses[nextPause]!.atNs <= now; nextPause++) {
      const { atNs, toNs } = pauses[nextPause]!;
      if (toNs <= now) continue;
      pausedNs = Math.min(pausedNs, atNs);
      now = toNs;
    }
    return pausedNs;
  };
  // See `Turn`: what of the sleep may have been too long.
  const sleptOverNs = (pausedNs: number, wantedNs: number, waitNs: number): number => {
    const heldUpNs = now - waitNs - wantedNs;
    if (loop.pauseKind === 'without a core') return heldUpNs + waitNs;
    if (loop.pauseKind === 'stolen') {
      stolenNs += heldUpNs;
      return waitNs;
    }
    const sweptNs = Math.floor(pausedNs / sweepNs) * sweepNs;
    const sinceNs = Math.max(turnEndNs, lookedNs, sweptNs);
    const overdueNs = now - (sweptNs + sweepNs) - timerSlackNs;
    return overdueNs > waitNs ? now - sinceNs : waitNs;
  };
  while (done < loop.calls) {
    let missedNs = 0;
    const dueNs = nextDue < loop.calls ? nextDue * gapNs : Infinity;
    const firstNs = arrivals.length > 0 ? arrivals[0]!.atNs : Infinity;
    const ownNs = nextOwn < ownWork.length ? ownWork[nextOwn]! : Infinity;
    const wantedNs = Math.min(dueNs, firstNs, ownNs);
    if (wantedNs > now) {
      // It sleeps until something wakes it, or looks again and again.
      const before = now;
      const pausedNs = sleepUntil(wantedNs);
      if (loop.spinning) {
        lookedNs = Math.max(before, Math.min(wantedNs - lookNs * random(), pausedNs));
      } else {
        const waitNs = -Math.log(1 - random()) * loop.wakeNs;
        now += waitNs;
        const gapNs = now - Math.max(turnEndNs, lookedNs);
        if (gapNs >= briefNs) missedNs = Math.min(gapNs, sleptOverNs(pausedNs, wantedNs, waitNs));
      }
    }
    const startNs = now;
    const unreadSinceNs =
      loop.spinning || startNs - Math.max(turnEndNs, lookedNs) < sleptNs ? lookedNs : startNs - missedNs;
    lookedNs = startNs;
    for (let ready = takeArrived(arrivals, startNs); ready.length > 0; ready = []) {
      for (const { call } of ready) {
        const own = now - Math.max(unreadSinceNs, 0);
        const value = Math.round(now - call * gapNs);
        seen.record(value);
        least.record(Math.max(0, Math.round(value - own - lag[call]!)));
        done++;
        pass(loop.readNs);
      }
    }
    for (; nextOwn < ownWork.length && ownWork[nextOwn]! <= now; nextOwn++) pass(loop.ownNs);
    for (; nextDue < loop.calls && nextDue * gapNs <= now; nextDue++) {
      lag[nextDue] = now - nextDue * gapNs;
      insert(arrivals, { atNs: now + truth[nextDue]!, call: nextDue });
      pass(loop.writeNs);
    }
    turnEndNs = now;
  }
  const times: EdgedTimes = { seen: seen.snapshot(), least: least.snapshot(), most: null };
  const measured: Pauses = { share: stolenNs / now, wakeNs: 0 };
  truth.sort((a, b) => a - b);
  return [50, 90, 99].map((percentile) => {
    const truthNs = truth[Math.ceil((percentile / 100) * loop.calls) - 1]!;
    const ends = percentileEnds(times, 0, percentile, measured);
    return {
      percentile,
      truthNs,
      seenNs: ends.seen,
      trulyDisturbed: isDisturbed({ seen: ends.seen, low: truthNs, high: ends.seen }),
      calledDisturbed: isDisturbed(ends),
    };
  });
}

function drawn(perSecond: number, endNs: number, random: () => number): number[] {
  const moments: number[] = [];
  if (perSecond === 0) return moments;
  for (let atNs = 0; atNs < endNs;) {
    atNs += (-Math.log(1 - random()) * 1e9) / perSecond;
    moments.push(atNs);
  }
  return moments;
}

function takeArrived(arrivals: { atNs: number; call: number }[], untilNs: number): { call: number }[] {
  let count = 0;
  while (count < arrivals.length && arrivals[count]!.atNs <= untilNs) count++;
  return arrivals.splice(0, count);
}

function insert(arrivals: { atNs: number; call: number }[], one: { atNs: number; call: number }): void {
  let at = arrivals.length;
  while (at > 0 && arrivals[at - 1]!.atNs > one.atNs) at--;
  arrivals.splice(at, 0, one);
}
