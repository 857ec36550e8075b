import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlotRecorder, slotNs } from './slot-recorder.js';
import { SlotSum, type SlotState } from './slot-sum.js';

const startNs = 5e12;
const at = (slots: number): number => startNs + slots * slotNs;

function recorder(sessions: { wanted: number; ready: number } = { wanted: 1, ready: 1 }): SlotRecorder {
  const slots = new SlotRecorder();
  slots.begin('wanted', 0, sessions.wanted);
  slots.begin('ready', 0, sessions.ready);
  slots.start(startNs);
  return slots;
}

function statesOf(recorders: readonly SlotRecorder[], length: number): string {
  const sum = new SlotSum();
  for (const slots of recorders) sum.add(slots.take());
  const letters: Record<SlotState, string> = { up: 'U', down: 'd', unobserved: '.' };
  return [...sum.slots(length * slotNs)].map(({ state }) => letters[state]).join('');
}

describe('a slot is', () => {
  const states = (note: (slots: SlotRecorder) => void): string => {
    const slots = recorder();
    note(slots);
    return statesOf([slots], 6);
  };

  test('unobserved where nothing is wanted', () => expect(states(() => {})).toBe('......'));

  test('up as long as a call is in flight that is answered in the end, however late', () => {
    expect(states((slots) => slots.noteCall('answered', at(1.2), at(1.2), at(3.1)))).toBe('.UUU..');
  });

  test('down as long as none of the calls in flight will be answered', () => {
    expect(
      states((slots) => {
        slots.noteCall('unanswered', at(1.2), at(1.2), at(5.5));
        slots.noteCall('answered', at(2.1), at(2.1), at(2.9));
      }),
    ).toBe('.dUddd');
  });

  test('down while a call waits that is due, and up from the slot on in which it is sent and then answered', () => {
    expect(states((slots) => slots.noteCall('answered', at(0.5), at(3.5), at(3.6)))).toBe('dddU..');
  });

  test('down while a call waits that is never sent', () => {
    expect(states((slots) => slots.noteCall('unanswered', at(2.5), 0, at(3.5)))).toBe('..dd..');
  });

  test('not told by a call that we cut off', () => {
    expect(states((slots) => slots.noteCall(null, at(1.5), at(1.6), at(4)))).toBe('......');
  });

  test('unobserved where nothing was read, unless an answer shows that the target was there', () => {
    expect(
      states((slots) => {
        slots.noteCall('unanswered', at(0.5), at(0.5), at(5.5));
        slots.noteCall('answered', at(3.1), at(3.1), at(3.2));
        slots.noteNotReading(at(1.5), at(5));
      }),
    ).toBe('dd.U.d');
  });

  test('down where sessions are wanted and none is ready', () => {
    expect(states((slots) => slots.end('ready', at(1.5)))).toBe('..dddd');
    expect(
      states((slots) => {
        slots.end('ready', at(1.5));
        slots.begin('ready', at(3.5));
      }),
    ).toBe('..d...');
  });

  test('not down while a session gives way to its successor as intended', () => {
    expect(
      states((slots) => {
        slots.end('ready', at(1.5));
        slots.end('wanted', at(1.5));
        slots.begin('wanted', at(3.5));
        slots.begin('ready', at(3.5));
      }),
    ).toBe('......');
  });
});

test('what reaches back before the measurement counts from its start, what ended before it not at all', () => {
  const slots = recorder();
  slots.noteCall('answered', at(-5), at(-5), at(0.5));
  slots.noteCall('unanswered', at(-5), at(-4), at(-0.5));
  expect(statesOf([slots], 3)).toBe('U..');
});

test('two workers: one session ready and one call answered are enough, whoever has them', () => {
  const [first, second] = [recorder(), recorder()];
  first.end('ready', at(0.5));
  second.noteCall('answered', at(2), at(2), at(2.5));
  first.noteCall('unanswered', at(2), at(2), at(4.5));
  second.end('ready', at(4.5));
  expect(statesOf([first, second], 6)).toBe('..Uddd');
});

test('sessions ready out of those wanted, slot by slot', () => {
  const slots = recorder({ wanted: 3, ready: 2 });
  slots.end('ready', at(1.5));
  const sum = new SlotSum();
  sum.add(slots.take());
  expect([...sum.slots(3 * slotNs)].map(({ ready, wanted }) => `${ready} of ${wanted}`)).toEqual([
    '2 of 3',
    '2 of 3',
    '1 of 3',
  ]);
});

const lives = fc.array(
  fc.record({
    worker: fc.integer({ min: 0, max: 2 }),
    mark: fc.constantFrom('answered' as const, 'unanswered' as const),
    found: fc.integer({ min: -50, max: 3000 }),
    wait: fc.integer({ min: 0, max: 300 }),
    flight: fc.integer({ min: 0, max: 900 }),
    sent: fc.boolean(),
  }),
  { maxLength: 40 },
);

test('any calls, any workers, taken as often as one likes: as by asking of every slot which calls touch it', () => {
  fc.assert(
    fc.property(lives, fc.integer({ min: 1, max: 9 }), (calls, takeEvery) => {
      const recorders = [recorder(), recorder(), recorder()];
      const sum = new SlotSum();
      for (const [index, { worker, mark, found, wait, flight, sent }] of calls.entries()) {
        const [foundNs, sentNs] = [at(found / 100), at((found + wait) / 100)];
        recorders[worker]!.noteCall(mark, foundNs, sent ? sentNs : 0, at((found + wait + flight) / 100));
        if (index % takeEvery === 0) for (const each of recorders) sum.add(each.take());
      }
      for (const each of recorders) sum.add(each.take());
      const states = [...sum.slots(45 * slotNs)].map(({ state }) => state);
      const touches = (slot: number, from: number, to: number): boolean =>
        Math.floor(to / 100) >= slot && Math.floor(from / 100) <= slot;
      const expected = states.map((_, slot): SlotState => {
        const inFlight = calls.filter((call) => {
          const sentAt = call.found + call.wait;
          return call.sent && touches(slot, sentAt, sentAt + call.flight);
        });
        if (inFlight.some(({ mark }) => mark === 'answered')) return 'up';
        const due = calls.some((call) => {
          const until = call.found + call.wait + (call.sent ? 0 : call.flight);
          return touches(slot, call.found, until) && (!call.sent || slot < Math.floor(until / 100));
        });
        return inFlight.length > 0 || due ? 'down' : 'unobserved';
      });
      expect(states).toEqual(expected);
    }),
  );
});

test('an hour of it, and calls that take minutes', () => {
  const slots = recorder();
  slots.noteCall('answered', at(0), at(0), at(36_000));
  slots.noteCall('unanswered', at(35_000), at(35_000), at(37_000));
  const states = statesOf([slots], 37_000);
  expect(states.slice(0, 36_001)).toBe('U'.repeat(36_001));
  expect(states.slice(36_001)).toBe('d'.repeat(999));
});
