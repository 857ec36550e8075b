// The same as an HTTP server on the port that it is told: without sessions, a transport for each request.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const schema = { description: 'Says it again', inputSchema: { message: z.string() } };
createServer(async (request, response) => {
  const server = new McpServer({ name: 'official', version: '1' });
  server.registerTool('echo', schema, ({ message }) => ({ content: [{ type: 'text', text: message }] }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(Number(process.argv[2]), '127.0.0.1');
