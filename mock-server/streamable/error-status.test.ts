import { afterEach, describe, expect, test } from 'vitest';
import { serveMock } from '../serve-mock.js';
import type { RunningMock } from '../serve-mock.js';
import { stateless } from './streamable-client.fixture.js';

const tools = {
  picky: { requires: { sampling: {} }, result: 1 },
  asking: { input: [{ requests: { who: { method: 'elicitation/create' } } }], result: 1 },
};

// The head of a stream says 200: what has a status of its own is no stream, however much the server likes streams.
describe.each(['uws', 'node'] as const)(
  'errors with a status, without sessions, on the %s engine',
  (engine) => {
    let mock: RunningMock;
    afterEach(() => mock.close());

    test.each([
      {},
      { headers: 'with-message' as const },
      { prime: 'empty' as const, eventIds: true, storedEvents: 10 },
      { releaseDelay: '1ms' },
    ])('are JSON where answers are streams: %j', async (options) => {
      mock = await serveMock({ engine, tools, streamable: { body: 'sse', ...options } });
      const url = mock.urls.streamable;
      const ask = async (method: string, params?: Record<string, unknown>): Promise<unknown[]> => {
        const answer = await stateless(url, method, params).whole();
        return [answer.status, answer.headers['content-type'], answer.last['error'] && answer.errorCode];
      };
      expect(await ask('no/such')).toEqual([404, 'application/json', -32601]);
      expect(await ask('ping')).toEqual([404, 'application/json', -32601]);
      expect(await ask('tools/call', { name: 'picky' })).toEqual([400, 'application/json', -32021]);
      expect(await ask('tools/call', { name: 'asking' })).toEqual([400, 'application/json', -32021]);
      expect(await ask('tools/list')).toEqual([200, 'text/event-stream', undefined]);
      expect(await ask('tools/call', { name: 'counter' })).toEqual([200, 'text/event-stream', undefined]);
      const { streamable, responsesSent } = await mock.stats();
      expect(streamable).toMatchObject({ bodiesJson: 4, bodiesSse: 2 });
      expect(responsesSent).toBe(6);
    });
  },
);
