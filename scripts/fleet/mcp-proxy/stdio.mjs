// The stdio server that mcp-proxy stands in front of: the TypeScript SDK's stdio transport.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'fleet-mcp-proxy', version: '1.0.0' });
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
await server.connect(new StdioServerTransport());
