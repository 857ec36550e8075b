import { gzipSync } from 'node:zlib';
import { drip, listOfTools, opening, pour, respond, serve } from './hostile-server.js';
import { accepted, answer, event, initialized, jsonAnswer, streamHead } from '../fixtures/scripted-mcp.js';
import type { McpScript } from '../fixtures/scripted-mcp.js';
import {
  chunked,
  deep,
  endless,
  endlessSchemas,
  endpoint,
  fiveMillion,
  megabyte,
  onCalls,
  onGet,
  onOpenStream,
  onPost,
  owned,
  results,
  memberNames,
  withHello,
  withIdentity,
  withTools,
} from './hostile-scripts.js';

/** What a hostile server does, and what must come of it beyond what must hold of all. */
export interface Attack {
  readonly name: string;
  /** Where it departs from a well-behaved server. */
  readonly script: McpScript;
  /** How `run` ends: every call ok; some calls ok; no call ok; no session and so no result. */
  readonly run: 'all ok' | 'some ok' | 'none ok' | 'no session';
  /** What `run` says on standard error, or counts (`strayAnswer`, `rpcError:-1`). */
  readonly says?: RegExp;
  readonly counts?: readonly string[];
  /** It comes before any POST, to which the ways of sending them do not matter. */
  readonly beforePosts?: boolean;
}

/** The attacks. A new one joins by one line: its name, what the server does, and what becomes of `run`. */
export const attacks: readonly Attack[] = [
  { name: 'none', script: {}, run: 'all ok' },

  // Answers to POSTs.
  {
    name: 'two 202s in one write',
    script: onPost(accepted + accepted),
    run: 'some ok',
    counts: ['strayAnswer'],
  },
  { name: 'a 202 and a 500 in one write', script: onPost(accepted + answer(500)), run: 'some ok' },
  {
    name: 'bytes nobody asked for',
    script: onPost(`${accepted}nobody asked for this`),
    run: 'some ok',
  },
  {
    name: 'the beginning of another answer after every 202',
    script: onPost(accepted + 'HTTP/1.1 2'),
    run: 'all ok',
  },
  { name: 'no answer to any POST', script: { onInitialize: () => {}, onCall: () => {} }, run: 'no session' },
  { name: 'no answer to the POSTs of calls', script: onCalls(() => {}), run: 'none ok', counts: ['timeout'] },
  {
    name: '202 and never a response',
    script: onCalls(({ connection }) => connection.write(accepted)),
    run: 'none ok',
    counts: ['acceptedNoResponse'],
  },
  {
    name: 'endless 1xx to a POST',
    script: onCalls(({ connection }) => pour(connection, 'HTTP/1.1 100 Continue\r\n\r\n', 40 * megabyte)),
    run: 'none ok',
  },
  {
    name: 'endless headers to a POST',
    script: onCalls(({ connection }) => {
      connection.write('HTTP/1.1 200 OK\r\n');
      pour(connection, `X: ${endless}\r\n`);
    }),
    run: 'none ok',
  },
  {
    name: 'endless body to a POST',
    script: onCalls(({ connection }) => {
      connection.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      pour(connection, endless, 60 * megabyte);
    }),
    run: 'none ok',
  },
  {
    name: 'a chunk size that overflows, to a POST',
    script: onPost(`${chunked('202 Accepted')}FFFFFFFFFFFFFFFFF\r\nx`),
    run: 'some ok',
  },
  {
    name: 'a Content-Length that promises more',
    script: onPost('HTTP/1.1 202 Accepted\r\nContent-Length: 100000\r\n\r\nx'),
    run: 'some ok',
  },
  {
    name: 'a Content-Length that promises less',
    script: onPost('HTTP/1.1 202 Accepted\r\nContent-Length: 1\r\n\r\nxxxx'),
    run: 'some ok',
  },
  {
    name: 'a negative Content-Length',
    script: onPost('HTTP/1.1 202 Accepted\r\nContent-Length: -1\r\n\r\n'),
    run: 'some ok',
  },
  {
    name: 'two Content-Lengths',
    script: onPost('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n'),
    run: 'some ok',
  },
  {
    name: 'HTTP of another world to a POST',
    script: onPost('\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'),
    run: 'some ok',
  },
  {
    name: 'a redirect of initialize',
    script: {
      onInitialize: ({ connection }) => connection.write(answer(308, '', ['Location: /elsewhere?key=S'])),
    },
    run: 'no session',
    says: /answered 308, a redirect to \/elsewhere…/,
  },
  {
    name: 'gzip on every POST of a call',
    script: onPost(answer(202, '\x1f\x8b', ['Content-Type: application/json', 'Content-Encoding: gzip'])),
    run: 'all ok',
  },
  {
    name: 'a redirect of every call',
    script: onCalls(({ connection }) =>
      connection.write(answer(307, '', ['Location: http://127.0.0.1:1/elsewhere'])),
    ),
    run: 'none ok',
    counts: ['httpError:307'],
  },
  {
    name: 'closing on every call',
    script: onCalls(({ connection }) => connection.end()),
    run: 'none ok',
    counts: ['disconnected'],
  },
  {
    name: 'closing after every 202',
    script: onCalls((post) => {
      post.connection.end(accepted);
      post.session.stream.write(event(respond(post)));
    }),
    run: 'some ok',
  },
  {
    name: 'resetting on every call',
    script: onCalls(({ connection }) => connection.reset()),
    run: 'none ok',
    counts: ['disconnected'],
  },
  {
    name: 'a body of 5 MB that is no answer',
    script: onCalls(({ connection, message }) =>
      connection.write(jsonAnswer(200, { jsonrpc: '2.0', id: message.id, result: 'x'.repeat(5 * megabyte) })),
    ),
    run: 'none ok',
  },

  // The stream before it is a session.
  { name: 'never answering', script: onGet(''), run: 'no session', beforePosts: true },
  {
    name: 'closing before the head',
    script: { onStream: ({ stream }) => stream.end() },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'closing within the head',
    script: { onStream: ({ stream }) => stream.end('HTTP/1.1 200 OK\r\nConte') },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'closing after the head',
    script: { onStream: ({ stream }) => stream.end(streamHead) },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'closing within the endpoint event',
    script: { onStream: ({ stream }) => stream.end(`${streamHead}event: endpoint\ndata: /mess`) },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'closing after the endpoint event',
    script: { onStream: (session) => session.stream.end(opening(session)) },
    run: 'no session',
  },
  {
    name: 'closing on initialize',
    script: { onInitialize: (post) => post.connection.end() },
    run: 'no session',
  },
  {
    name: 'closing the stream on initialize',
    script: {
      onInitialize: (post) => {
        post.connection.write(accepted);
        post.session.stream.end();
      },
    },
    run: 'no session',
  },
  {
    name: 'closing on initialized',
    script: { onInitialized: (post) => post.connection.reset() },
    run: 'no session',
  },
  {
    name: 'refusing initialized',
    script: { onInitialized: (post) => post.connection.write(answer(500)) },
    run: 'no session',
  },
  {
    name: 'endless headers',
    script: {
      onStream: ({ stream }) => {
        stream.write('HTTP/1.1 200 OK\r\n');
        pour(stream, `X: ${endless}\r\n`);
      },
    },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endless header line',
    script: {
      onStream: ({ stream }) => {
        stream.write('HTTP/1.1 200 OK\r\nX: ');
        pour(stream, endless);
      },
    },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'endless 1xx',
    script: { onStream: ({ stream }) => pour(stream, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n') },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'slow-loris head',
    script: { onStream: ({ stream }) => drip(stream, streamHead.repeat(10)) },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'slow-loris endpoint',
    script: {
      onStream: ({ stream }) => {
        stream.write(streamHead);
        drip(stream, `data: ${endless}`);
      },
    },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'gzip',
    script: onGet(
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n'),
        gzipSync('event: endpoint\ndata: /messages?sessionId=0\n\n'),
      ]),
    ),
    run: 'no session',
    says: /Content-Encoding: gzip/,
    beforePosts: true,
  },
  {
    name: 'a redirect',
    script: onGet(answer(302, '', ['Location: http://127.0.0.1:1/elsewhere'])),
    run: 'no session',
    beforePosts: true,
    says: /302, a redirect to http:\/\/127.0.0.1:1\/elsewhere/,
  },
  {
    name: 'a redirect to itself',
    script: onGet(answer(301, '', ['Location: /sse'])),
    run: 'no session',
    beforePosts: true,
    says: /301, a redirect to \/sse/,
  },
  {
    name: 'HTML',
    script: onGet(answer(200, '<h1>hello</h1>', ['Content-Type: text/html'])),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'no HTTP at all',
    script: onGet('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
    run: 'no session',
    beforePosts: true,
  },
  { name: 'status 999', script: onGet('HTTP/1.1 999 What\r\n\r\n'), run: 'no session', beforePosts: true },
  {
    name: 'a chunk size that overflows',
    script: onGet(`${chunked('200 OK')}FFFFFFFFFFFFFFFFF\r\nx`),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endless chunk extension',
    script: {
      onStream: ({ stream }) => {
        stream.write(`${chunked('200 OK')}5;`);
        pour(stream, endless);
      },
    },
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'endless events before the endpoint',
    script: {
      onStream: ({ stream }) => {
        stream.write(streamHead);
        pour(stream, event({ jsonrpc: '2.0', method: 'notifications/x' }));
      },
    },
    run: 'no session',
    beforePosts: true,
  },

  // What the endpoint event says.
  {
    name: 'an endpoint with U+010A and U+0120',
    script: endpoint('/messages?sessionId=0\u010d\u010aX:\u0120y'),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endpoint with U+010D',
    script: endpoint('/messages\u010d'),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endpoint elsewhere',
    script: endpoint('http://127.0.0.2:1/messages'),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endpoint of another scheme',
    script: endpoint('file:///etc/passwd'),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endpoint of 5 MB',
    script: endpoint(`/${'x'.repeat(5 * megabyte)}`),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endpoint that is deep JSON',
    script: endpoint(deep(100_000, '{"endpoint":', '}')),
    run: 'no session',
    beforePosts: true,
  },

  // What comes on the stream of a session.
  {
    name: 'endless comments',
    script: onOpenStream(({ stream }) => pour(stream, `: ${endless}\n\n`, 100 * megabyte)),
    run: 'some ok',
  },
  {
    name: 'an endless event',
    script: onOpenStream(({ stream }) => {
      stream.write('data: ');
      pour(stream, endless);
    }),
    run: 'no session',
  },
  {
    name: 'endless ids and retries',
    script: onOpenStream(({ stream }) => pour(stream, `id: ${endless}\nretry: 1\n\n`, 60 * megabyte)),
    run: 'all ok',
  },
  {
    name: 'a request with an id of 500 KB',
    script: onOpenStream(({ stream }) =>
      stream.write(event({ jsonrpc: '2.0', id: 'i'.repeat(megabyte / 2), method: 'ping' })),
    ),
    run: 'some ok',
  },
  {
    name: 'thousands of made-up notifications',
    script: onOpenStream(({ stream }) =>
      stream.write(
        Array.from({ length: 20_000 }, (_, at) => event({ jsonrpc: '2.0', method: `made/up-${at}` })).join(
          '',
        ),
      ),
    ),
    run: 'some ok',
  },
  {
    name: 'endless responses to nobody',
    script: onOpenStream(({ stream }) =>
      pour(stream, event({ jsonrpc: '2.0', id: 1e9, result: {} }), 20 * megabyte),
    ),
    run: 'some ok',
    counts: ['foreign'],
  },
  {
    name: 'a batch of 50,000',
    script: onOpenStream(({ stream }) =>
      stream.write(event(Array.from({ length: 50_000 }, (_, id) => ({ jsonrpc: '2.0', id, result: {} })))),
    ),
    run: 'some ok',
    counts: ['foreign'],
  },
  {
    name: 'a batch in a batch, 100,000 deep',
    script: onOpenStream(({ stream }) => stream.write(event(deep(100_000, '[', ']')))),
    run: 'some ok',
    counts: ['malformedEvent'],
  },
  {
    name: 'bytes that are no UTF-8',
    script: onOpenStream(({ stream }) =>
      stream.write(
        Buffer.from('data: {"jsonrpc":"2.0","method":"\xff\xfe\x80"}\n\ndata: \xff\xff\n\n', 'latin1'),
      ),
    ),
    run: 'some ok',
  },
  {
    name: 'closing the stream on every call',
    script: onCalls(({ connection, session }) => {
      connection.write(accepted);
      session.stream.end();
    }),
    run: 'none ok',
    counts: ['disconnected'],
  },
  {
    name: 'cutting every response',
    script: onCalls((post) => {
      post.connection.write(accepted);
      post.session.stream.end(event(respond(post)).slice(0, -10));
    }),
    run: 'none ok',
  },

  // Responses.
  {
    name: 'a deep result beside names that are escaped',
    script: onCalls((post) => {
      post.connection.write(accepted);
      const id = JSON.stringify(post.message.id);
      post.session.stream.write(event(`{"\\u0069d":${id},"result":${deep(200_000, '[', ']')}}`));
    }),
    run: 'none ok',
  },
  { name: 'deeply nested results', script: results(() => deep(100_000, '{"a":', '}')), run: 'none ok' },
  { name: 'deeply nested lists', script: results(() => deep(100_000, '[', ']')), run: 'none ok' },
  { name: 'a number for a result', script: results(() => '5'), run: 'none ok' },
  { name: 'an empty list for a result', script: results(() => '[]'), run: 'none ok' },
  {
    name: 'a result of wrong types',
    script: results(
      () =>
        '{"serverInfo":5,"capabilities":"x","protocolVersion":{},"instructions":[],"tools":{},"content":"x","isError":"x"}',
    ),
    run: 'none ok',
  },
  {
    name: 'errors with ever new codes',
    script: onCalls((post) => {
      post.connection.write(accepted);
      post.session.stream.write(
        event({ jsonrpc: '2.0', id: post.message.id, error: { code: post.n, message: 'no' } }),
      );
    }),
    run: 'none ok',
  },
  {
    name: 'neither result nor error',
    script: onCalls((post) => {
      post.connection.write(accepted);
      post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id }));
    }),
    run: 'none ok',
    counts: ['invalidResponse'],
  },
  {
    name: 'every response three times',
    script: onCalls((post) => {
      post.connection.write(accepted);
      post.session.stream.write(event(respond(post)).repeat(3));
    }),
    run: 'all ok',
    counts: ['duplicate'],
  },
  {
    name: 'the response of the next call as well',
    script: onCalls((post) => {
      post.connection.write(accepted);
      post.session.stream.write(
        event(respond(post)) + event({ ...respond(post), id: Number(post.message.id) + 1 }),
      );
    }),
    run: 'some ok',
  },
  {
    name: 'response before the 202 in one write',
    script: onCalls((post) => {
      post.session.stream.write(event(respond(post)));
      post.connection.write(accepted);
    }),
    run: 'all ok',
  },

  // The tools.
  {
    name: 'a tool that says 5 MB about itself',
    script: withTools(
      listOfTools([
        { name: 'talker', description: 'x'.repeat(5 * megabyte), inputSchema: { type: 'object' } },
      ]),
    ),
    run: 'all ok',
  },
  {
    name: 'pages of tools without end',
    script: onCalls((post) => {
      if (post.message.method !== 'tools/list') return serve(post);
      post.connection.write(accepted);
      post.session.stream.write(
        event({
          jsonrpc: '2.0',
          id: post.message.id,
          result: { tools: listOfTools(), nextCursor: `page ${post.n}` },
        }),
      );
    }),
    run: 'all ok',
  },
  {
    name: 'schemas that have no end, or ask for gigabytes',
    script: withTools([
      ...endlessSchemas.map((inputSchema, at) => ({ name: `endless${at}`, inputSchema })),
      { name: 'echo', inputSchema: { type: 'object' } },
    ]),
    run: 'all ok',
  },
  {
    name: 'ten thousand tools of a kilobyte each',
    script: withTools(
      Array.from({ length: 10_000 }, (_, at) => ({
        name: `t${at}`,
        description: 'd'.repeat(1000),
        inputSchema: { type: 'object' },
      })),
    ),
    run: 'all ok',
  },
  {
    name: 'a list of tools of millions of values',
    script: {
      onCall: (post) => {
        if (post.message.method !== 'tools/list') return serve(post);
        post.connection.write(accepted);
        const list = `{"tools":[${'{},'.repeat(4_000_000)}1]}`;
        post.session.stream.write(
          event(`{"jsonrpc":"2.0","id":${JSON.stringify(post.message.id)},"result":${list}}`),
        );
      },
    },
    run: 'all ok',
  },
  {
    name: 'tools that are none',
    script: withTools([
      null,
      5,
      'x',
      [],
      {},
      { name: 5 },
      { name: 'x', inputSchema: 5 },
      { name: 'y', inputSchema: { type: 5, properties: 5, required: 5 } },
    ]),
    run: 'all ok',
  },

  // What it says of itself.
  {
    name: 'a name of 20 KB',
    script: withIdentity({ name: 'n'.repeat(20_000), version: 'v'.repeat(20_000) }),
    run: 'all ok',
  },
  {
    name: 'a name of 2 MB that is no ASCII',
    script: withIdentity({ name: '漢'.repeat(700_000), version: 'é '.repeat(700_000) }),
    run: 'all ok',
  },
  { name: 'no identity', script: withIdentity(null), run: 'all ok' },
  {
    name: 'an identity of objects',
    script: withIdentity({ name: { toString: 5 }, version: [] }),
    run: 'all ok',
  },
  {
    name: 'a name that is a command of a log',
    script: withIdentity({ name: owned, version: owned }),
    run: 'all ok',
  },
  {
    name: 'a null for the result of initialize',
    script: {
      onInitialize: (post) => {
        post.connection.write(accepted);
        post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, result: null }));
      },
    },
    run: 'all ok',
  },
  {
    name: 'a refusal of initialize that is a command of a log',
    script: {
      onInitialize: (post) => {
        post.connection.write(accepted);
        const error = { code: { toString: 5 }, message: owned };
        post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, error }));
      },
    },
    run: 'no session',
    says: /initialize was answered/,
  },
  {
    name: 'methods of 5 MB',
    script: onOpenStream(({ stream }) => {
      const method = 'm'.repeat(5 * megabyte);
      stream.write(event({ jsonrpc: '2.0', method }) + event({ jsonrpc: '2.0', id: 'x', method }));
    }),
    run: 'all ok',
  },
  {
    name: 'an endpoint with what cannot be printed',
    script: endpoint(`/m${owned}`),
    run: 'no session',
    beforePosts: true,
  },

  // More of what hurt once.
  { name: 'an endpoint with a NUL', script: endpoint('/messages\0'), run: 'no session' },
  {
    name: 'endless empty events',
    script: onOpenStream(({ stream }) => pour(stream, 'data\n\n', 20 * megabyte)),
    run: 'some ok',
  },
  {
    name: 'a method name of 5 MB',
    script: onOpenStream(({ stream }) =>
      stream.write(event({ jsonrpc: '2.0', method: 'm'.repeat(5 * megabyte) }).repeat(2)),
    ),
    run: 'some ok',
  },
  {
    name: 'thousands of made-up requests',
    script: onOpenStream(({ stream }) =>
      stream.write(
        Array.from({ length: 5000 }, (_, id) => event({ jsonrpc: '2.0', id, method: `made/up-${id}` })).join(
          '',
        ),
      ),
    ),
    run: 'some ok',
  },
  {
    name: 'a flood of pings whose answers stay without one',
    script: {
      ...onOpenStream(({ stream }) =>
        pour(stream, event({ jsonrpc: '2.0', id: 1, method: 'ping' }), 10 * megabyte),
      ),
      onOther: () => {},
    },
    run: 'no session',
  },
  {
    name: 'responses to every id there is',
    script: onOpenStream(({ stream }) =>
      stream.write(
        Array.from({ length: 20_000 }, (_, id) => event({ jsonrpc: '2.0', id, result: {} })).join(''),
      ),
    ),
    run: 'some ok',
    counts: ['foreign'],
  },
  { name: 'null for a result', script: results(() => 'null'), run: 'none ok' },
  {
    name: 'a result of nulls',
    script: results(
      () =>
        '{"serverInfo":null,"capabilities":null,"protocolVersion":null,"tools":[null,5,"x",{"name":null}],"content":null}',
    ),
    run: 'none ok',
  },
  {
    name: 'an endpoint of a million @',
    script: endpoint(`http://${'@'.repeat(1e6)}:x/`),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'an endpoint of eight thousand @',
    script: endpoint(`http://${'@'.repeat(8000)}:x/`),
    run: 'no session',
    beforePosts: true,
  },
  {
    name: 'requests with ids of 4 MB',
    script: onOpenStream(({ stream }) => {
      for (let n = 0; n < 4; n++)
        stream.write(event({ jsonrpc: '2.0', id: 'x'.repeat(4 * megabyte), method: 'ping' }));
    }),
    run: 'all ok',
  },
  {
    name: 'results of five million values',
    script: results(() => `{"content":[${fiveMillion}]}`),
    run: 'none ok',
  },
  {
    name: 'a batch of seven million numbers',
    script: onOpenStream(({ stream }) => stream.write(event(`[${'1,'.repeat(7e6)}1]`))),
    run: 'some ok',
    counts: ['malformedEvent'],
  },
  {
    name: 'an identity of five million values',
    script: {
      onInitialize: (post) => {
        post.connection.write(accepted);
        const text = JSON.stringify(initialized(post)).replace(
          '"result":{',
          `"result":{"more":[${fiveMillion}],`,
        );
        post.session.stream.write(event(text));
      },
    },
    run: 'all ok',
  },
  {
    name: 'an error with a huge text',
    script: onCalls((post) => {
      post.connection.write(accepted);
      post.session.stream.write(
        event({ jsonrpc: '2.0', id: post.message.id, error: { code: -1, message: 'x'.repeat(100_000) } }),
      );
    }),
    run: 'none ok',
  },
  { name: 'no identity', script: withIdentity(null), run: 'all ok' },
  {
    name: 'a request with a method name of 5 MB',
    script: onOpenStream(({ stream }) =>
      stream.write(event({ jsonrpc: '2.0', id: 1, method: 'm'.repeat(5 * megabyte) })),
    ),
    run: 'some ok',
  },
  {
    name: 'a huge list of tools',
    script: withTools(
      listOfTools(
        Array.from({ length: 5000 }, (_, at) => ({
          name: `tool-${at}`,
          description: endless,
          inputSchema: { type: 'object' },
        })),
      ),
    ),
    run: 'all ok',
  },

  // Names that JavaScript gives a meaning, and what is slow, deep or long in places where it was not before.
  {
    name: 'slow-loris answers to POSTs',
    script: onCalls(({ connection }) => drip(connection, `HTTP/1.1 202 Accepted\r\nX: ${endless}\r\n\r\n`)),
    run: 'none ok',
  },
  {
    name: 'slow-loris responses',
    script: onCalls((post) => {
      post.connection.write(accepted);
      drip(post.session.stream, `${': slow\n'.repeat(200)}${event(respond(post))}`);
    }),
    run: 'none ok',
  },
  {
    name: 'methods that are members of every object',
    script: onOpenStream(({ stream }) => {
      for (const method of memberNames)
        stream.write(event({ jsonrpc: '2.0', method }) + event({ jsonrpc: '2.0', id: method, method }));
    }),
    run: 'all ok',
    // `__proto__` is no name to count under.
    counts: ['notification:others', 'serverRequest:others', 'notification:constructor'],
  },
  {
    name: 'error codes that are members of every object',
    script: onCalls((post) => {
      post.connection.write(accepted);
      const error = { code: memberNames[post.n % memberNames.length], message: 'no' };
      post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, error }));
    }),
    run: 'none ok',
  },
  {
    name: 'an error code of 5 MB',
    script: onCalls((post) => {
      post.connection.write(accepted);
      const error = { code: 'c'.repeat(5 * megabyte), message: 'no' };
      post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, error }));
    }),
    run: 'none ok',
  },
  {
    name: 'tools that are members of every object',
    script: withTools(
      listOfTools(
        memberNames.map((name) => ({
          name,
          inputSchema: JSON.parse(
            `{"properties":{"${name}":{"type":"string"}},"required":["${name}"]}`,
          ) as object,
        })),
      ),
    ),
    run: 'all ok',
  },
  {
    name: 'capabilities of 400 levels',
    script: withHello(`"capabilities":${deep(400, '{"a":', '}')}`),
    run: 'all ok',
  },
  {
    name: 'capabilities of 100,000 levels',
    script: withHello(`"capabilities":${deep(100_000, '{"__proto__":', '}')}`),
    run: 'all ok',
  },
  {
    name: 'a protocol version and instructions of 5 MB',
    script: withHello(
      `"protocolVersion":"${'5'.repeat(5 * megabyte)}","instructions":"${'x'.repeat(5 * megabyte)}"`,
    ),
    run: 'all ok',
  },
  {
    name: 'an endless event of empty lines',
    script: {
      ...onOpenStream(({ stream }) => pour(stream, 'data\n')),
      // Its response would only end the event: lines that are empty may stand before JSON.
      onInitialize: ({ connection }) => connection.write(accepted),
    },
    run: 'no session',
  },
  {
    name: 'endless ends of lines',
    script: onOpenStream(({ stream }) => pour(stream, '\r\n\r\r\n\n', 10 * megabyte)),
    run: 'some ok',
  },
  {
    name: 'endless trailers to a POST',
    script: onCalls(({ connection }) => {
      connection.write(`${chunked('202 Accepted')}0\r\n`);
      pour(connection, `X: ${endless}\r\n`);
    }),
    run: 'none ok',
  },
  {
    name: 'endless empty chunks to a POST',
    script: onCalls(({ connection }) => {
      connection.write(chunked('202 Accepted'));
      pour(connection, '1\r\n \r\n', 60 * megabyte);
    }),
    run: 'none ok',
  },
  {
    name: 'JSON to a POST in millions of chunks of one byte',
    script: onCalls(({ connection }) => {
      connection.write(chunked('200 OK', 'application/json'));
      pour(connection, '1\r\n \r\n', 60 * megabyte);
    }),
    run: 'none ok',
  },
  {
    name: 'an id of five million digits',
    script: onOpenStream(({ stream }) => {
      const id = '9'.repeat(5 * megabyte);
      stream.write(
        event(`{"jsonrpc":"2.0","id":${id},"result":{}}`) +
          event(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
      );
    }),
    run: 'all ok',
  },
  {
    name: 'requests whose ids are deep',
    script: onOpenStream(({ stream }) => {
      for (const id of [
        deep(100_000, '[', ']'),
        deep(100_000, '{"id":', '}'),
        '{"__proto__":1}',
        '1e400',
        '-0',
        'null',
      ])
        stream.write(event(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`));
    }),
    run: 'some ok',
  },
];
