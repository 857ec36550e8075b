import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** A server of the official SDK that is listening. */
export interface SdkServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an SDK server over HTTP+SSE; `make` builds one for each session. */
export async function serveSdkSse(make: () => McpServer): Promise<SdkServer> {
  const transports = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      void make().connect(transport);
      return;
    }
    const transport = transports.get(searchParams.get('sessionId') ?? '');
    if (request.method === 'POST' && pathname === '/messages' && transport) {
      void transport.handlePostMessage(request, response);
      return;
    }
    response.writeHead(404).end();
  });
  return listening(server, '/sse');
}

/** Serves an SDK server over Streamable HTTP, with sessions or without. */
export async function serveSdkStreamable(make: () => McpServer, sessions: boolean): Promise<SdkServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    void (async () => {
      const known = transports.get(String(request.headers['mcp-session-id']));
      if (known) return known.handleRequest(request, response);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: sessions ? () => randomUUID() : undefined,
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
      await make().connect(transport);
      return transport.handleRequest(request, response);
    })();
  });
  return listening(server, '/mcp');
}

/** Serves whatever a handler of node:http does. */
export async function listening(server: Server, path: string): Promise<SdkServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
