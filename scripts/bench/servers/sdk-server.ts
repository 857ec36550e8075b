import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';
import { say } from '../child-program.js';

// A program: a server on the official TypeScript SDK, with the same echo tool as the mock, over node:http alone.

const transports = new Map<string, SSEServerTransport>();
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => {
  say({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse` });
});
process.once('SIGTERM', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, 'http://127.0.0.1');
  if (request.method === 'GET' && url.pathname === '/sse') return openStream(response);
  const transport = transports.get(url.searchParams.get('sessionId') ?? '');
  if (request.method === 'POST' && transport) return transport.handlePostMessage(request, response);
  response.writeHead(404).end();
}

async function openStream(response: ServerResponse): Promise<void> {
  const transport = new SSEServerTransport('/messages', response);
  transports.set(transport.sessionId, transport);
  response.on('close', () => transports.delete(transport.sessionId));
  const mcp = new McpServer({ name: 'sdk-server', version: '1' });
  mcp.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }));
  await mcp.connect(transport);
}
