import { expect, test } from 'vitest';
import { Call, type CallKeeper } from './call.js';
import type { Session } from './session.js';

interface Moments {
  readonly intendedNs: number;
  readonly foundNs: number;
  /** When a slot was free for it, where it had to wait for one. */
  readonly roomNs?: number;
  readonly sentNs: number;
  /** Of the connection that it left on. */
  readonly askedNs?: number;
  readonly stoodNs?: number;
  readonly freeNs?: number;
}

function partsOf(moments: Moments): { lagNs: number; queueNs: number; connectNs: number } {
  const { intendedNs, foundNs, sentNs, roomNs = 0, askedNs = 0, stoodNs = 0 } = moments;
  const ticket = { seq: 0, operation: 0, phase: 0, intendedNs, foundNs };
  const call = new Call(1, {} as Session, ticket, '', { onCallSent: () => {} } as unknown as CallKeeper);
  call.roomNs = roomNs;
  call.onSent(sentNs, askedNs, stoodNs, moments.freeNs ?? stoodNs);
  const { lagNs, connectNs } = call;
  return { lagNs, queueNs: sentNs - intendedNs - lagNs - connectNs, connectNs };
}

test('what nothing but the generator held up is lag alone', () => {
  expect(partsOf({ intendedNs: 100, foundNs: 100, sentNs: 130 })).toEqual({
    lagNs: 30,
    queueNs: 0,
    connectNs: 0,
  });
  expect(partsOf({ intendedNs: 100, foundNs: 110, sentNs: 130, askedNs: 5, stoodNs: 9, freeNs: 70 })).toEqual(
    {
      lagNs: 30,
      queueNs: 0,
      connectNs: 0,
    },
  );
});

test('it waits in the queue until there is room, and then for the generator', () => {
  expect(partsOf({ intendedNs: 100, foundNs: 110, roomNs: 170, sentNs: 175 })).toEqual({
    lagNs: 10 + 5,
    queueNs: 60,
    connectNs: 0,
  });
});

test('it waits in the queue until another message has left its connection free', () => {
  expect(
    partsOf({ intendedNs: 100, foundNs: 110, sentNs: 175, askedNs: 5, stoodNs: 9, freeNs: 150 }),
  ).toEqual({ lagNs: 10 + 25, queueNs: 40, connectNs: 0 });
});

test('the making of its connection is neither', () => {
  expect(partsOf({ intendedNs: 100, foundNs: 110, sentNs: 175, askedNs: 120, stoodNs: 160 })).toEqual({
    lagNs: 10 + 15,
    queueNs: 10,
    connectNs: 40,
  });
});
