import { expect, test } from 'vitest';
import { Recorder } from './recorder.js';

test("the parts of a call add up, and its least holds nothing of the generator's", () => {
  const recorder = new Recorder(1, 1);
  recorder.ok(0, 0, 1000, 30, 200, 1250, 2000, 50);
  const times = Object.fromEntries(
    recorder
      .takeInterval()
      .calls.map(({ metric, edge, histogram }) => [`${metric} ${edge}`, histogram.sumNs]),
  );
  expect(times).toEqual({
    'call.response seen': 1000,
    'call.response least': 1000 - 30 - 50,
    'call.service seen': 750,
    'call.service least': 750 - 50,
    'queue.wait seen': 20,
    'call.connect seen': 200,
    'schedule.lag seen': 30,
  });
});
