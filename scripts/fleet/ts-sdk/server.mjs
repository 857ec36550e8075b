// The TypeScript SDK's own SSE transport behind node:http: the routes are ours, every byte of MCP is the SDK's.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';

const transports = new Map();

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

const http = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://127.0.0.1');
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
});
http.listen(Number(process.argv[2]), '127.0.0.1');
