import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

export interface OfficialOptions {
  /** JSON bodies in place of events. */
  readonly json?: boolean;
  /** Without: a transport for each request, and no ids. */
  readonly sessions?: boolean;
  readonly eventStore?: EventStore;
  readonly retryInterval?: number;
}

export interface Official {
  readonly url: string;
  /** What came, in order: `POST initialize`, `GET`, `DELETE`; a POST without a method is a response. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Sessions that stand. */
  readonly sessions: Map<string, StreamableHTTPServerTransport>;
  close(): Promise<void>;
}

/** A server on the official SDK, over Streamable HTTP with sessions as its own examples have it. */
export async function serveOfficial(options: OfficialOptions = {}): Promise<Official> {
  const { json = false, sessions: keeps = true, eventStore, retryInterval } = options;
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
    requests.push([request.method, body && (body.method ?? 'response')].filter(Boolean).join(' '));
    headers.push(request.headers);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response, body);
    if (id !== undefined) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: keeps ? () => randomUUID() : undefined,
      onsessioninitialized: (made) => void sessions.set(made, transport),
      onsessionclosed: (made) => void sessions.delete(made),
      enableJsonResponse: json,
      ...(eventStore === undefined ? {} : { eventStore }),
      ...(retryInterval === undefined ? {} : { retryInterval }),
    });
    await makeServer().connect(transport);
    return transport.handleRequest(request, response, body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    headers,
    sessions,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function makeServer(): McpServer {
  const mcp = new McpServer({ name: 'official', version: '1' }, { capabilities: { logging: {} } });
  mcp.registerTool('echo', { inputSchema: { message: z.string() } }, ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }));
  mcp.registerTool('ask', { inputSchema: {} }, async (_args, extra) => {
    await extra.sendRequest({ method: 'ping' }, z.object({}));
    await extra.sendNotification({
      method: 'notifications/message',
      params: { level: 'info', data: 'pinged' },
    });
    return { content: [{ type: 'text', text: 'pinged' }] };
  });
  mcp.registerTool('fail', { inputSchema: {} }, () => ({ isError: true, content: [] }));
  return mcp;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
