// The TypeScript SDK's own transports, by mode: `node server.mjs MODE PORT`. The routes are ours, every byte of MCP is the SDK's.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

function session() {
  const server = new McpServer({ name: 'fleet-ts-sdk', version: '1.0.0' });
  let count = 0;
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  server.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => text(message));
  server.registerTool('sleep', { inputSchema: { ms: z.number().min(0).max(60_000) } }, async ({ ms }) => {
    await new Promise((done) => setTimeout(done, ms));
    return text(`slept ${ms}`);
  });
  server.registerTool(
    'payload',
    { inputSchema: { bytes: z.number().int().min(0).max(16_777_216) } },
    ({ bytes }) => text('x'.repeat(bytes)),
  );
  server.registerTool('counter', { inputSchema: {} }, () => text(String((count += 1))));
  return server;
}

const transports = new Map();

async function sse(request, response, url) {
  if (request.method === 'GET' && url.pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', response);
    transports.set(transport.sessionId, transport);
    response.on('close', () => transports.delete(transport.sessionId));
    await session().connect(transport);
  } else if (request.method === 'POST' && url.pathname === '/messages') {
    const transport = transports.get(url.searchParams.get('sessionId'));
    if (transport) await transport.handlePostMessage(request, response);
    else response.writeHead(404).end('Session not found');
  } else response.writeHead(404).end();
}

// As the SDK's own examples do it: a transport for each session, made where a request has no session id, kept until DELETE.
function sessions({ json = false, resumable = false }) {
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = transports.get(id);
    if (id !== undefined && !transport) return refuse(response, 404, 'Session not found');
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        ...(resumable ? { eventStore: new InMemoryEventStore(), retryInterval: 1000 } : {}),
        onsessioninitialized: (given) => transports.set(given, transport),
        onsessionclosed: (given) => transports.delete(given),
      });
      await session().connect(transport);
    }
    await transport.handleRequest(request, response);
  };
}

// Without sessions a transport serves one request only.
function sessionless({ json = false }) {
  return async (request, response) => {
    if (request.method !== 'POST') return refuse(response, 405, 'Method not allowed.');
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: json,
    });
    const server = session();
    response.on('close', () => server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  };
}

function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

const [mode, port] = process.argv.slice(2);
const streamable = {
  sessions: sessions({}),
  'sessions-json': sessions({ json: true }),
  resumable: sessions({ resumable: true }),
  sessionless: sessionless({}),
  'sessionless-json': sessionless({ json: true }),
};

if (mode === 'stdio') await session().connect(new StdioServerTransport());
else {
  const http = createServer((request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    if (mode === 'sse') return sse(request, response, url);
    if (url.pathname === '/mcp') return streamable[mode](request, response);
    return response.writeHead(404).end();
  });
  http.listen(Number(port), '127.0.0.1');
}
