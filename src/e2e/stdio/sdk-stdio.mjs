// A server on the official SDK, over stdio as its own examples have it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'official', version: '1' });
server.registerTool(
  'echo',
  { description: 'Says it again', inputSchema: { message: z.string() } },
  ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }),
);
await server.connect(new StdioServerTransport());
