import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';
import { programOptions, say } from '../child-program.js';

// A program: a server on the official TypeScript SDK, with the same echo tool as the mock; over node:http alone, or over
// Express, as the SDK's own examples are.

export interface SdkServerOptions {
  readonly express: boolean;
}

const transports = new Map<string, SSEServerTransport>();
const server = createServer(
  programOptions<SdkServerOptions>().express ? expressApp() : (...both) => void answer(...both),
);
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

/** As much of Express as is used here; its own types are a package that we do not need otherwise. */
type ExpressRequest = IncomingMessage & { readonly query: Record<string, unknown>; readonly body: unknown };
interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void;
  get(path: string, handler: (request: ExpressRequest, response: ServerResponse) => void): void;
  post(path: string, handler: (request: ExpressRequest, response: ServerResponse) => void): void;
}

function expressApp(): ExpressApp {
  const app = createMcpExpressApp() as ExpressApp;
  app.get('/sse', (_request, response) => void openStream(response));
  app.post('/messages', (request, response) => {
    const transport = transports.get(String(request.query['sessionId']));
    if (transport) void transport.handlePostMessage(request, response, request.body);
    else response.writeHead(404).end();
  });
  return app;
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
