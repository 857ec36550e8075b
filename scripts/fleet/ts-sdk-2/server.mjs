// Version 2 of the TypeScript SDK, by mode: `node server.mjs MODE PORT`. The routes are ours, every byte of MCP is the SDK's.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function session() {
  const server = new McpServer({ name: 'fleet-ts-sdk-2', version: '1.0.0' });
  let count = 0;
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  const tool = (name, shape, call) => server.registerTool(name, { inputSchema: z.object(shape) }, call);
  tool('echo', { message: z.string() }, ({ message }) => text(message));
  tool('sleep', { ms: z.number().min(0).max(60_000) }, async ({ ms }) => {
    await new Promise((done) => setTimeout(done, ms));
    return text(`slept ${ms}`);
  });
  tool('payload', { bytes: z.number().int().min(0).max(16_777_216) }, ({ bytes }) => text('x'.repeat(bytes)));
  tool('counter', {}, () => text(String((count += 1))));
  return server;
}

const transports = new Map();

function sessions({ json = false }) {
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = transports.get(id);
    if (id !== undefined && !transport) return refuse(response, 404, 'Session not found');
    if (!transport) {
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: json,
        onsessioninitialized: (given) => transports.set(given, transport),
        onsessionclosed: (given) => transports.delete(given),
      });
      await session().connect(transport);
    }
    await transport.handleRequest(request, response);
  };
}

function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

const [mode, port] = process.argv.slice(2);
const handlers = {
  sessions: () => sessions({}),
  'sessions-json': () => sessions({ json: true }),
  stateless: () => toNodeHandler(createMcpHandler(session, { responseMode: 'sse' })),
  'stateless-json': () => toNodeHandler(createMcpHandler(session)),
};

if (mode === 'stdio') serveStdio(session);
else {
  const handler = handlers[mode]();
  const http = createServer((request, response) => {
    if (new URL(request.url, 'http://127.0.0.1').pathname === '/mcp') return handler(request, response);
    return response.writeHead(404).end();
  });
  http.listen(Number(port), '127.0.0.1');
}
