import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turn } from './turn.js';

const us = 1000;
// Moments to come: what the turns themselves read off the clock lies before.
const t0 = Math.ceil(process.hrtime()[0] + 60) * 1e9;

/** A turn in which the loop looked and ended at these moments. */
function turnOver(lookedNs: number, endedNs: number): Turn {
  const turn = new Turn();
  turn.idleLook(lookedNs);
  turn.idleLook(lookedNs);
  turn.endedNs = endedNs;
  return turn;
}

test('bytes read at the start of a turn had not waited, those read later may have, since then', () => {
  const turn = turnOver(0, 0);
  turn.beginRead(t0);
  expect(turn.unreadNs(t0)).toBe(0);
  expect(turn.unreadNs(t0 + 700 * us)).toBe(700 * us);
});

test('where the loop did not sleep between two turns, they may have waited since it looked in the one before', () => {
  const turn = turnOver(t0, t0 + 3000 * us);
  turn.beginRead(t0 + 3020 * us);
  expect(turn.unreadNs(t0 + 3020 * us)).toBe(3020 * us);
  const slept = turnOver(t0, t0 + 3000 * us);
  slept.beginRead(t0 + 3060 * us);
  expect(slept.unreadNs(t0 + 3060 * us)).toBe(0);
});

test('a turn that began with due calls has looked after them: what came since then is read in the next', async () => {
  const turn = new Turn();
  turn.begin(process.hrtime()[0] * 1e9);
  await nextTurn();
  expect(turn.under).toBe(false);
  const { startedNs, endedNs } = turn;
  expect(endedNs - startedNs).toBeGreaterThan(turn.unreadNs(endedNs));
});

test('a spinning loop knows of every gap, be it somebody else who had the core', () => {
  const turn = turnOver(t0, 0);
  turn.spinning = true;
  turn.beginRead(t0 + 9000 * us);
  expect(turn.unreadNs(t0 + 9000 * us)).toBe(9000 * us);
  const idle = turnOver(t0, 0);
  idle.spinning = true;
  idle.idleLook(t0 + 20 * us);
  idle.idleLook(t0 + 4020 * us);
  expect(idle.heldUpNs).toBe(4000 * us);
});

test('what is timed outside of turns may have waited for the one that has just ended', () => {
  const turn = turnOver(t0, t0 + 3000 * us);
  expect(turn.unreadNs(t0 + 3010 * us)).toBe(3010 * us);
  expect(turn.unreadNs(t0 + 4000 * us)).toBe(0);
});

test('bytes that woke the loop may have waited for as long as it then waited for a core', () => {
  let waitedNs = 0;
  const turn = new Turn(() => waitedNs);
  turn.beginRead(t0);
  turn.under = false;
  turn.endedNs = t0 + 100 * us;
  waitedNs += 4000 * us;
  turn.beginRead(t0 + 9000 * us);
  expect(turn.unreadNs(t0 + 9000 * us)).toBe(4000 * us);
  expect(turn.heldUpNs).toBe(4000 * us);
  turn.under = false;
  turn.endedNs = t0 + 9100 * us;
  turn.beginRead(t0 + 12_000 * us);
  expect(turn.unreadNs(t0 + 12_000 * us), 'what was waited before is none of theirs').toBe(0);
  turn.under = false;
  turn.endedNs = t0 + 12_100 * us;
  waitedNs += 4000 * us;
  turn.beginRead(t0 + 13_000 * us);
  expect(turn.unreadNs(t0 + 13_000 * us), 'no longer than since the loop last ran').toBe(900 * us);
});

test('a loop that slept past a timer was stopped, and anything may have come since it last ran', () => {
  const turn = turnOver(t0, t0 + 100 * us);
  turn.awakeByNs = t0 + 10_000 * us;
  turn.beginRead(t0 + 60_000 * us);
  expect(turn.unreadNs(t0 + 60_000 * us)).toBe(59_900 * us);
  const punctual = turnOver(t0, t0 + 100 * us);
  punctual.awakeByNs = t0 + 10_000 * us;
  punctual.beginRead(t0 + 12_000 * us);
  expect(punctual.unreadNs(t0 + 12_000 * us)).toBe(0);
});

test('where a timer woke it, what is read next may have waited as long', () => {
  let waitedNs = 0;
  const turn = new Turn(() => waitedNs);
  turn.idleLook(t0);
  turn.idleLook(t0);
  waitedNs += 3000 * us;
  turn.wake(t0 + 5000 * us);
  turn.beginRead(t0 + 5010 * us);
  expect(turn.unreadNs(t0 + 5010 * us)).toBe(3010 * us);
  const spinning = turnOver(t0, 0);
  spinning.spinning = true;
  spinning.wake(t0 + 4000 * us);
  spinning.beginRead(t0 + 4010 * us);
  expect(spinning.unreadNs(t0 + 4010 * us), 'it has not looked in between').toBe(4010 * us);
});

test('a spinning loop that was held up after it looked has not looked since', () => {
  const turn = turnOver(t0, 0);
  turn.spinning = true;
  turn.idleLook(t0 + 10 * us);
  turn.idleLook(t0 + 4010 * us);
  turn.beginRead(t0 + 4020 * us);
  expect(turn.unreadNs(t0 + 4020 * us)).toBe(4010 * us);
});
