import { z } from 'zod';
import { callsPerSec, duration, oneOf, positiveDuration, section, whole } from './schema-values.js';

const arrivals = oneOf(['uniform', 'poisson'])
  .optional()
  .describe('Spacing of the calls: uniform (default) or poisson (as from many independent users).');

const models = {
  closed: section({
    model: z.literal('closed'),
    inFlight: whole(1).optional().describe('Calls in flight per session. Default 1.'),
    think: duration().optional().describe('Pause of a slot between an answer and its next call. Default 0s.'),
  }).describe('Closed loop: a slot sends its next call when its last one has been answered.'),
  rate: section({
    model: z.literal('rate'),
    perSecond: callsPerSec('aboveZero').describe('Calls per second over all sessions.'),
    arrivals,
  }).describe('Open loop: calls are due at a constant rate, whatever the state of the target.'),
  ramp: section({
    model: z.literal('ramp'),
    from: callsPerSec('zero').describe('Calls per second at the start of the phase.'),
    to: callsPerSec('zero').describe('Calls per second at its end.'),
    arrivals,
  }).describe('Open loop: the rate moves in a straight line.'),
  steps: section({
    model: z.literal('steps'),
    steps: z
      .array(
        section({ perSecond: callsPerSec('zero'), duration: positiveDuration() }),
        'expected a list of steps such as { perSecond: 100, duration: 10s }',
      )
      .min(1, 'expected a list of steps such as { perSecond: 100, duration: 10s }'),
    arrivals,
  }).describe('Open loop: one rate after the other, each for its own time.'),
  burst: section({
    model: z.literal('burst'),
    calls: whole(1).describe('Calls that every session sends at once.'),
    every: positiveDuration().describe('Time from burst to burst.'),
  }).describe('Open loop: every session sends its calls at the same moment, again and again.'),
  count: section({
    model: z.literal('count'),
    calls: whole(1).describe('Calls over all sessions; the phase ends when they have been answered.'),
    inFlight: whole(1).optional().describe('Calls in flight per session. Default 1.'),
  }).describe('Closed loop: a fixed number of calls, then stop.'),
};

const { closed, rate, ramp, steps, burst, count } = models;

/** What calls are due when. */
export const loadSchema = z.discriminatedUnion('model', [closed, rate, ramp, steps, burst, count], {
  error: (issue) =>
    issue.code === 'invalid_union'
      ? `expected one of ${Object.keys(models).join(', ')}`
      : 'expected a load such as { model: closed, inFlight: 4 } or { model: rate, perSecond: 300 }',
});
