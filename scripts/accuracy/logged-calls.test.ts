import { describe, expect, it } from 'vitest';
import { parseMockLog } from './logged-calls.js';

const line = (id: number, receivedNs: number): string =>
  `{"id":${id},"session":"s","tool":"echo","receivedNs":${receivedNs},"dueNs":${receivedNs},"sentNs":${receivedNs + 5},"injected":[]}`;

describe('parseMockLog', () => {
  it('puts calls into the order of their ids and freezes apart', () => {
    const text = `${line(10, 300)}\n{"freeze":{"fromNs":1,"toNs":2}}\n${line(9, 200)}\n`;
    const { calls, freezes } = parseMockLog(text);
    expect(calls.map(({ id }) => id)).toEqual([9, 10]);
    expect(calls[0]).toMatchObject({ receivedNs: 200, sentNs: 205, injected: [] });
    expect(freezes).toEqual([{ fromNs: 1, toNs: 2 }]);
  });

  it('keeps calls that were never answered', () => {
    expect(parseMockLog(line(1, 5).replace('"sentNs":10', '"sentNs":null')).calls[0]!.sentNs).toBeNull();
  });

  it('refuses other lines', () => {
    expect(() => parseMockLog('{"level":"info"}')).toThrow(/not a line/);
  });
});
