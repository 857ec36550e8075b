import { describe, expect, test } from 'vitest';
import { play } from '../fixtures/play.js';
import { accepted, echo, event, initialized, streamHead } from '../fixtures/scripted-mcp.js';
import type { McpScript, ScriptedPost } from '../fixtures/scripted-mcp.js';
import { afterReading } from '../fixtures/scripted-server.js';

/** A server whose every event is written by `write`, the endpoint included. */
function writing(write: (name: string, data: string, post?: ScriptedPost) => string): McpScript {
  return {
    onStream: (session, server) =>
      session.stream.write(streamHead + write('endpoint', server.endpointOf(session))),
    onInitialize: (post) => {
      post.connection.write(accepted);
      post.session.stream.write(write('message', JSON.stringify(initialized(post)), post));
    },
    onCall: (post) => {
      post.connection.write(accepted);
      post.session.stream.write(write('message', JSON.stringify(echo(post)), post));
    },
  };
}

const pretty = (data: string): string =>
  data.startsWith('{') ? JSON.stringify(JSON.parse(data), null, 2) : data;
const asLines = (data: string, end: string): string =>
  pretty(data)
    .split('\n')
    .map((line) => `data: ${line}${end}`)
    .join('');

describe('trap 17: every form an event may have', () => {
  const forms: [string, (name: string, data: string) => string][] = [
    ['LF', (name, data) => `event: ${name}\ndata: ${data}\n\n`],
    ['CRLF', (name, data) => `event: ${name}\r\ndata: ${data}\r\n\r\n`],
    ['CR', (name, data) => `event: ${name}\rdata: ${data}\r\r`],
    ['mixed inside one event', (name, data) => `event: ${name}\ndata: ${data}\r\n\r\n`],
    ['mixed otherwise', (name, data) => `event: ${name}\rdata: ${data}\n\r\n`],
    ['no space after the colon', (name, data) => `event:${name}\ndata:${data}\n\n`],
    [
      'comments before, within and after',
      (name, data) => `: x\nevent: ${name}\n:\ndata: ${data}\n: y\n\n:\n\n`,
    ],
    ['id and retry lines', (name, data) => `id: 7\nretry: 100\nevent: ${name}\ndata: ${data}\n\n`],
    ['fields in another order', (name, data) => `data: ${data}\nevent: ${name}\n\n`],
    ['unknown fields', (name, data) => `x: y\nevent: ${name}\nnonsense\ndata: ${data}\n\n`],
    ['several data lines', (name, data) => `event: ${name}\n${asLines(data, '\n')}\n`],
    ['several data lines, CRLF', (name, data) => `event: ${name}\r\n${asLines(data, '\r\n')}\r\n`],
    [
      'events without data around it',
      (name, data) => `event: x\n\nevent: ${name}\ndata: ${data}\n\ndata\n\ndata:\n\n`,
    ],
    ['no event line', (_, data) => `data: ${data}\n\n`],
  ];
  test.each(forms)('%s', async (_, write) => {
    expect((await play(writing(write))).counts).toEqual({ ok: 10 });
  });

  test('a byte order mark at the very start', async () => {
    const { counts } = await play(
      writing((name, data) => `${name === 'endpoint' ? '\uFEFF' : ''}event: ${name}\ndata: ${data}\n\n`),
    );
    expect(counts).toEqual({ ok: 10 });
  });

  test('U+2028, U+0085 and emoji inside the data are no line ends', async () => {
    const message = 'a\u2028b\u2029c\u0085d 🦜 é {{seq}}';
    const { counts } = await play({}, { calls: [{ tool: 'echo', arguments: { message }, expect: 'echo' }] });
    expect(counts).toEqual({ ok: 10 });
  });

  test('every byte by itself: CRLF and UTF-8 split wherever it hurts', async () => {
    const bytesOf = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    const write = (data: unknown): string => `: é\r\nevent: message\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;
    const { counts } = await play(
      {
        onStream: (session, server) => {
          const first = `event: endpoint\r\ndata: ${server.endpointOf(session)}\r\n\r\n`;
          void session.stream.writeApart(bytesOf(streamHead + first));
        },
        onInitialize: (post) => {
          post.connection.write(accepted);
          void post.session.stream.writeApart(bytesOf(write(initialized(post))));
        },
        onCall: (post) => {
          void post.connection.writeApart(bytesOf(accepted));
          void post.session.stream.writeApart(bytesOf(write(echo(post))));
        },
      },
      {
        load: { model: 'count', calls: 3 },
        calls: [{ tool: 'echo', arguments: { message: 'ä🦜{{seq}}' }, expect: 'echo' }],
      },
    );
    expect(counts).toEqual({ ok: 3 });
  });

  test('all answers of a burst in one write, and one answer over many', async () => {
    const held: ScriptedPost[] = [];
    const { counts } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          if (held.push(post) < 8) return;
          const text = Buffer.from(held.map((each) => event(echo(each))).join(''));
          void post.session.stream.writeApart([
            text.subarray(0, 400),
            text.subarray(400, 401),
            text.subarray(401),
          ]);
        },
      },
      { load: { model: 'count', calls: 8, inFlight: 8 } },
    );
    expect(counts).toEqual({ ok: 8 });
  });

  test('events that are not JSON, or no JSON-RPC, are counted and end nothing', async () => {
    const odd = ['not json', '{"jsonrpc":', '42', 'null', '{"jsonrpc":"2.0"}', '{"method":7}', '[', '{} {}'];
    const { counts } = await play({
      onCall: (post, server) => {
        if (post.n === 0) for (const data of odd) post.session.stream.write(event(data));
        server.serve(post);
      },
    });
    expect(counts).toEqual({ ok: 10, malformedEvent: odd.length });
  });
});

describe('trap 18: unfinished and huge events', () => {
  test('an unfinished event at the end of the stream is dropped and counted', async () => {
    const { counts, result } = await play(
      {
        onCall: (post, server) => {
          if (post.session.ordinal > 0 || post.n < 4) return server.serve(post);
          post.connection.write(accepted);
          afterReading(() => post.session.stream.end(event(echo(post)).slice(0, -1)));
        },
      },
      {},
    );
    expect(counts).toEqual({ ok: 9, disconnected: 1, truncatedEvent: 1, reconnect: 1 });
    expect(result.findings.map(({ code }) => code)).toContain('truncated-events');
  });

  test('a stream cut inside a comment has lost nothing', async () => {
    const { counts } = await play({
      onCall: (post, server) => {
        if (post.session.ordinal > 0 || post.n < 4) return server.serve(post);
        post.connection.write(accepted);
        afterReading(() => post.session.stream.end(': keep-al'));
      },
    });
    expect(counts).toEqual({ ok: 9, disconnected: 1, reconnect: 1 });
  });

  test('a large event in small pieces arrives whole', async () => {
    const text = 'x'.repeat(2 * 1024 * 1024);
    const { counts } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          const result = { content: [{ type: 'text', text }] };
          const bytes = Buffer.from(event({ jsonrpc: '2.0', id: post.message.id, result }));
          const pieces: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += 8192) pieces.push(bytes.subarray(at, at + 8192));
          void post.session.stream.writeApart(pieces);
        },
      },
      {
        load: { model: 'count', calls: 2 },
        calls: [{ tool: 'big', expect: { size: { min: '2MiB', max: '3MiB' } } }],
      },
    );
    expect(counts).toEqual({ ok: 2 });
  });

  test('an event over the cap ends the stream as a protocol error, not the memory', async () => {
    const { counts, sessions, result } = await play({
      onCall: (post, server) => {
        if (post.session.ordinal > 0) return server.serve(post);
        post.connection.write(accepted);
        const piece = Buffer.alloc(1024 * 1024, 'x');
        void post.session.stream.writeApart(['data: ', ...Array<Buffer>(18).fill(piece)]);
      },
    });
    expect(counts).toEqual({ ok: 9, disconnected: 1, truncatedEvent: 1, reconnect: 1 });
    expect(sessions).toMatchObject({ dropped: 1, reconnects: 1 });
    expect(result.examples['session dropped']).toMatch(/larger than 16777216 bytes/);
  });
});

describe('trap 19: what keeps a stream alive is no progress of a call', () => {
  test('comments do not stop the time limit of a call', async () => {
    const timers: NodeJS.Timeout[] = [];
    const { counts } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          timers.push(setInterval(() => post.session.stream.write(': ping\n\n'), 20));
        },
      },
      { load: { model: 'count', calls: 2, inFlight: 2 }, timeouts: { call: '300ms' } },
    ).finally(() => timers.forEach((timer) => clearInterval(timer)));
    expect(counts).toEqual({ acceptedNoResponse: 2 });
  });

  test('but they do stop the idle limit of a stream', async () => {
    const timers: NodeJS.Timeout[] = [];
    const { counts, sessions } = await play(
      {
        onStream: (session, server) => {
          session.stream.write(streamHead + event(server.endpointOf(session), 'endpoint'));
          timers.push(setInterval(() => session.stream.write(': ping\n\n'), 20));
        },
        onCall: (post) => post.connection.write(accepted),
      },
      { load: { model: 'count', calls: 1 }, timeouts: { call: '3s', idle: '1500ms' } },
    ).finally(() => timers.forEach((timer) => clearInterval(timer)));
    expect(counts).toEqual({ acceptedNoResponse: 1 });
    expect(sessions['dropped']).toBeUndefined();
  });

  test('a silent stream is given up after its idle limit, and its calls with it', async () => {
    const { counts, sessions } = await play(
      {
        onCall: (post, server) => {
          if (post.session.ordinal > 0) server.serve(post);
          else post.connection.write(accepted);
        },
      },
      { load: { model: 'count', calls: 2, inFlight: 1 }, timeouts: { call: '30s', idle: '300ms' } },
    );
    expect(counts).toEqual({ ok: 1, disconnected: 1, reconnect: 1 });
    expect(sessions).toMatchObject({ dropped: 1, ready: 2 });
  });

  test('progress and log notifications do not complete a call', async () => {
    const { counts } = await play({
      onCall: (post, server) => {
        const { stream } = post.session;
        const params = { progressToken: post.message.id, progress: 1, total: 1 };
        stream.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params }));
        stream.write(
          event({ jsonrpc: '2.0', method: 'notifications/message', params: { data: post.message.id } }),
        );
        server.serve(post);
      },
    });
    expect(counts).toEqual({
      ok: 10,
      'notification:notifications/progress': 10,
      'notification:notifications/message': 10,
    });
  });
});

describe('trap 20: nothing may gather or compress the stream', () => {
  test('the stream is asked for as it is', async () => {
    const { server } = await play({});
    const { headers } = server.sessions[0]!.get;
    expect(headers.get('accept-encoding')).toEqual(['identity']);
    expect(headers.get('accept')).toEqual(['text/event-stream']);
  });

  test('events that come in bursts though their calls were sent apart are a finding', async () => {
    const gathered: ScriptedPost[] = [];
    const { counts, result } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          if (gathered.push(post) < 8) return;
          const [first] = gathered;
          first!.session.stream.write(
            gathered
              .splice(0)
              .map((each) => event(echo(each)))
              .join(''),
          );
        },
      },
      { load: { model: 'rate', perSecond: 100 }, duration: '1600ms' },
    );
    expect(counts).toEqual({ ok: 160 });
    expect(result.findings.map(({ code }) => code)).toContain('events-in-bursts');
  });

  test('a burst of calls answered in one write is none', async () => {
    const gathered: ScriptedPost[] = [];
    const { counts, result } = await play(
      {
        onCall: (post) => {
          post.connection.write(accepted);
          if (gathered.push(post) < 8) return;
          const [first] = gathered;
          first!.session.stream.write(
            gathered
              .splice(0)
              .map((each) => event(echo(each)))
              .join(''),
          );
        },
      },
      { load: { model: 'count', calls: 160, inFlight: 8 }, posts: { mode: 'pipelined' } },
    );
    expect(counts).toEqual({ ok: 160 });
    expect(result.findings.map(({ code }) => code)).not.toContain('events-in-bursts');
  });
});

describe('trap 21: an endpoint of another origin', () => {
  const endpointAt = (origin: (port: number) => string): McpScript => ({
    onStream: ({ stream }, { wire }) =>
      stream.write(streamHead + event(`${origin(wire.port)}/messages?sessionId=0`, 'endpoint')),
  });

  test.each([
    ['another port', () => 'http://127.0.0.1:1', /refused, since a client must not post elsewhere/],
    ['another scheme', (port: number) => `https://127.0.0.1:${port}`, /refused/],
    ['another host', (port: number) => `http://192.0.2.1:${port}`, /refused/],
    [
      'localhost for 127.0.0.1',
      (port: number) => `http://localhost:${port}`,
      /name the target localhost as the server does/,
    ],
  ])('%s is refused, and nothing is posted', async (_, origin, message) => {
    const { sessions, result, server } = await play(endpointAt(origin), {
      sessions: { count: 1, reconnect: false },
    });
    expect(sessions).toMatchObject({ opened: 1, failed: 1, 'failed:endpoint': 1 });
    expect(result.examples['session endpoint']).toMatch(message);
    expect(server.posts).toEqual([]);
  });

  test('allowed, it is used', async () => {
    const { counts, server } = await play(
      endpointAt((port) => `http://localhost:${port}`),
      {},
      { scenarioFor: ({ url }) => ({ target: { url, allowForeignEndpoint: true } }) },
    );
    expect(counts).toEqual({ ok: 10 });
    for (const { request } of server.posts) expect(request.headers.get('host')![0]).toMatch(/^localhost:/);
  });

  test.each(['http://user:pw@127.0.0.1:9/m', 'http://127.0.0.1:99999/m', 'http://[::/m'])(
    'allowed, but of no use: %s fails the session and nothing else',
    async (endpoint) => {
      const { sessions } = await play(
        { onStream: ({ stream }) => stream.write(streamHead + event(endpoint, 'endpoint')) },
        { sessions: { count: 1, reconnect: false } },
        { scenarioFor: ({ url }) => ({ target: { url, allowForeignEndpoint: true } }) },
      );
      expect(sessions).toMatchObject({ failed: 1, 'failed:endpoint': 1 });
    },
  );
});
