import { expect, test } from 'vitest';
import { againstMock } from '../fixtures/against-mock.js';
import {
  chunk,
  echoed,
  eventsHead,
  json,
  lastChunk,
  messageEvent,
  playStateless,
  type Posted,
} from './scripted-streamable.js';

const confirm = {
  method: 'elicitation/create',
  params: { message: 'sure?', requestedSchema: { type: 'object' } },
};
const yes = { action: 'accept', content: { confirmed: true } };
const state = 'opaque "ü" \u2028 \\ state';

function asks({ message }: Posted, asked: object): object {
  return { jsonrpc: '2.0', id: message.id, result: { resultType: 'input_required', ...asked } };
}

const isAgain = ({ message }: Posted): boolean =>
  message.params!.requestState !== undefined || message.params!.inputResponses !== undefined;

const calls = [
  { tool: 'echo', arguments: { message: '{{seq}} {{hex 8}}' }, expect: 'echo', inputResponses: { ok: yes } },
] as const;

test.each(['json', 'events'] as const)(
  'what the scenario gives is answered, the state goes back as it came, the id is a new one (%s)',
  async (kind) => {
    const { counts, result, server } = await playStateless(
      {
        onCall: (posted) => {
          const message = isAgain(posted)
            ? echoed(posted, { resultType: 'complete' })
            : asks(posted, { inputRequests: { ok: confirm }, requestState: state });
          posted.connection.write(
            kind === 'json' ? json(200, message) : eventsHead + chunk(messageEvent(message)) + lastChunk,
          );
        },
      },
      { calls: [...calls], load: { model: 'count', calls: 20, inFlight: 2 } },
    );
    expect(counts).toEqual({ ok: 20 });
    expect(result.totals.replies!.inputRounds).toBe(20);
    const again = server.posts.filter(isAgain);
    expect(again).toHaveLength(20);
    for (const { message, request } of again) {
      expect(message.params).toMatchObject({
        name: 'echo',
        requestState: state,
        inputResponses: { ok: yes },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          // Or nobody would ask.
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        },
      });
      expect(request.headers.get('mcp-name')).toEqual(['echo']);
    }
    expect(new Set(server.posts.map(({ message }) => message.id)).size).toBe(40);
    expect(result.metrics['call.response']!.count).toBe(20);
  },
);

test('where no state came none goes back, and where only a state came nothing else', async () => {
  const { counts, server } = await playStateless(
    {
      onCall: (posted) =>
        posted.connection.write(
          json(
            200,
            isAgain(posted)
              ? echoed(posted)
              : asks(
                  posted,
                  posted.n % 4 === 0 ? { inputRequests: { ok: confirm } } : { requestState: state },
                ),
          ),
        ),
    },
    { calls: [...calls] },
  );
  expect(counts).toEqual({ ok: 10 });
  for (const { message } of server.posts.filter(isAgain))
    expect(Object.keys(message.params!).filter((name) => /^(input|request)/.test(name))).toHaveLength(1);
});

test.each([
  ['nothing that the scenario gives', { inputRequests: { other: confirm }, requestState: state }],
  ['nothing at all', {}],
  ['what is no map', { inputRequests: [confirm] }],
  ['with a state that is no text', { inputRequests: { ok: confirm }, requestState: 7 }],
])('who asks for %s is told nothing: the call is counted as such', async (_, asked) => {
  const { counts, server } = await playStateless(
    { onCall: (posted) => posted.connection.write(json(200, asks(posted, asked))) },
    { calls: [...calls] },
  );
  expect(counts).toEqual({ inputRequired: 10 });
  expect(server.callsReceived).toBe(10);
});

test('who asks without end is told so many times, and no more', async () => {
  const { counts, server } = await playStateless(
    { onCall: (posted) => posted.connection.write(json(200, asks(posted, { requestState: state }))) },
    { calls: [...calls], load: { model: 'count', calls: 2 } },
  );
  expect(counts).toEqual({ inputRequired: 2 });
  expect(server.callsReceived).toBe(2 * 17);
});

test('the time limit of a call holds over all its rounds, and what comes of one is the call’s', async () => {
  const { counts } = await playStateless(
    {
      onCall: (posted) => {
        if (!isAgain(posted))
          return posted.connection.write(json(200, asks(posted, { requestState: state })));
        if (posted.n % 6 === 1) return;
        if (posted.n % 6 === 3) return posted.connection.write(json(503, {}));
        posted.connection.end();
      },
    },
    { calls: [{ ...calls[0], timeout: '200ms' }], load: { model: 'count', calls: 3 } },
  );
  expect(counts).toEqual({ timeout: 1, 'httpError:503': 1, disconnected: 1 });
});

test('a session knows no such thing: there it is a result like any other', async () => {
  const { playStreamable } = await import('./scripted-streamable.js');
  const { counts } = await playStreamable(
    { onCall: (posted) => posted.connection.write(json(200, asks(posted, { requestState: state }))) },
    { calls: [{ tool: 'echo', inputResponses: {} }] },
  );
  expect(counts).toEqual({ ok: 10 });
});

test.each([{}, { body: 'sse' as const }])('the mock asks, and is answered as it wants (%o)', async (body) => {
  const roots = { roots: [{ uri: 'file:///srv', name: 'srv' }] };
  const { counts, result, stats } = await againstMock(
    { streamable: { ...body, inputRequired: 1 } },
    {
      sessions: 2,
      calls: [{ ...calls[0], inputResponses: { confirm: yes, roots } }],
      phases: [{ name: 'main', load: { model: 'count', calls: 40, inFlight: 3 } }],
    },
    { targetFor: ({ urls }) => ({ url: urls.streamable, transport: 'streamable', protocol: '2026-07-28' }) },
  );
  expect(counts).toEqual({ ok: 40 });
  expect(result.totals.replies!.inputRounds).toBe(40);
  expect(stats.streamable).toMatchObject({ inputRequired: 40, inputResponses: 40 });
});
