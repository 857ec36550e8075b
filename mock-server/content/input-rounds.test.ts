import { describe, expect, it } from 'vitest';
import { InputRounds, lacking } from './input-rounds.js';
import type { Exchange } from './exchange.js';
import type { NextRound } from './input-rounds.js';
import { RpcError } from '../protocol/json-rpc.js';

const ask = { method: 'elicitation/create' as const, params: { message: 'Who?' } };
const sample = { method: 'sampling/createMessage' as const, params: { maxTokens: 1 } };
const all = { elicitation: {}, sampling: {}, roots: {} };
const yes = { action: 'accept', content: { name: 'Ada' } };
const rounds = new InputRounds(1);

const stateOf = (next: NextRound | RpcError): string => {
  if (!('requestState' in next)) throw new Error('no state');
  return next.requestState!;
};
const codeOf = (next: NextRound | RpcError): number | undefined =>
  next instanceof RpcError ? next.code : undefined;

describe('a round without state', () => {
  const one = { asks: [{ who: ask }] };

  it('asks, and is over when it is answered', () => {
    expect(rounds.next('tool', one, { capabilities: all })).toEqual({ inputRequests: { who: ask } });
    const inputResponses = { who: yes, other: yes };
    expect(rounds.next('tool', one, { inputResponses, capabilities: all })).toEqual({ inputs: { who: yes } });
  });

  it('asks again for what is missing', () => {
    expect(rounds.next('tool', one, { inputResponses: { wrong: yes }, capabilities: all })).toEqual({
      inputRequests: { who: ask },
    });
  });

  it('takes nothing but objects', () => {
    for (const inputResponses of [null, 5, [], { who: 12_345 }, { who: null }])
      expect(codeOf(rounds.next('tool', one, { inputResponses, capabilities: all }))).toBe(-32602);
  });

  it('gives names of the prototype no meaning', () => {
    const odd = { asks: [{ toString: ask }] };
    expect(rounds.next('tool', odd, { inputResponses: {}, capabilities: all })).toEqual({
      inputRequests: { toString: ask },
    });
  });

  it('leaves out what the client cannot be asked, and refuses where nothing is left', () => {
    const two = { asks: [{ who: ask, text: sample }] };
    expect(rounds.next('tool', two, { capabilities: { sampling: {} } })).toEqual({
      inputRequests: { text: sample },
    });
    const refused = rounds.next('tool', two, { capabilities: {} });
    expect(refused).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {}, sampling: {} } },
    });
  });
});

describe('rounds with state', () => {
  const two: Exchange = { asks: [{ who: ask }, { colour: ask }], state: true };

  it('go one by one, each with a state of its own, and keep all answers', () => {
    const first = rounds.next('tool', two, { capabilities: all });
    expect(first).toMatchObject({ inputRequests: { who: ask } });
    const requestState = stateOf(first);
    const second = rounds.next('tool', two, {
      inputResponses: { who: yes },
      requestState,
      capabilities: all,
    });
    expect(second).toMatchObject({ inputRequests: { colour: ask } });
    expect(stateOf(second)).not.toBe(requestState);
    const last = { inputResponses: { colour: yes }, requestState: stateOf(second), capabilities: all };
    expect(rounds.next('tool', two, last)).toEqual({ inputs: { who: yes, colour: yes } });
  });

  it('begin anew without the state', () => {
    const next = rounds.next('tool', two, { inputResponses: { who: yes, colour: yes }, capabilities: all });
    expect(next).toMatchObject({ inputRequests: { who: ask } });
  });

  it('answer no later question with what was said to an earlier one', () => {
    const requestState = stateOf(rounds.next('tool', two, { capabilities: all }));
    const both = { inputResponses: { who: yes, colour: yes }, requestState, capabilities: all };
    expect(rounds.next('tool', two, both)).toMatchObject({ inputRequests: { colour: ask } });
  });

  it('keep what was answered while something is missing', () => {
    const pair = { asks: [{ who: ask, text: sample }], state: true };
    const first = stateOf(rounds.next('tool', pair, { capabilities: all }));
    const half = { inputResponses: { text: yes }, requestState: first, capabilities: all };
    const again = rounds.next('tool', pair, half);
    expect(again).toMatchObject({ inputRequests: { who: ask } });
    const rest = { inputResponses: { who: yes }, requestState: stateOf(again), capabilities: all };
    expect(rounds.next('tool', pair, rest)).toEqual({ inputs: { who: yes, text: yes } });
  });

  it('take no state but their own', () => {
    const requestState = stateOf(rounds.next('tool', two, { capabilities: all }));
    const [text, signature] = requestState.split('.');
    const forged = Buffer.from('{"round":2,"inputs":{}}').toString('base64url');
    const others = [
      `${requestState}-TAMPERED`,
      `${requestState}.more`,
      `${forged}.${signature}`,
      text,
      `${text}.`,
      '',
      '.',
      'ö.ö',
      5,
      null,
    ];
    for (const state of others)
      expect(codeOf(rounds.next('tool', two, { requestState: state, capabilities: all }))).toBe(-32602);
    expect(codeOf(rounds.next('other', two, { requestState, capabilities: all }))).toBe(-32602);
    expect(codeOf(new InputRounds(2).next('tool', two, { requestState, capabilities: all }))).toBe(-32602);
  });
});

it('names the capabilities that are missing', () => {
  expect(lacking(undefined, {})).toBeUndefined();
  expect(lacking({ sampling: {} }, { sampling: {} })).toBeUndefined();
  expect(lacking({ sampling: {}, roots: {} }, { roots: {} })).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { sampling: {} } },
  });
});
