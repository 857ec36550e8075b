// FastMCP for TypeScript with its defaults; its HTTP server answers /sse beside /mcp.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'fleet-fastmcp-ts', version: '1.0.0' });
const counts = new Map();
server.addTool({
  name: 'echo',
  description: 'Returns the message.',
  parameters: z.object({ message: z.string() }),
  execute: async ({ message }) => message,
});
server.addTool({
  name: 'sleep',
  description: 'Answers after a delay.',
  parameters: z.object({ ms: z.number().min(0).max(60_000) }),
  execute: async ({ ms }) => {
    await new Promise((done) => setTimeout(done, ms));
    return `slept ${ms}`;
  },
});
server.addTool({
  name: 'payload',
  description: 'Returns that many bytes.',
  parameters: z.object({ bytes: z.number().int().min(0).max(16_777_216) }),
  execute: async ({ bytes }) => 'x'.repeat(bytes),
});
server.addTool({
  name: 'counter',
  description: 'Counts the calls of this session.',
  parameters: z.object({}),
  execute: async (_args, { sessionId }) => {
    counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
    return String(counts.get(sessionId));
  },
});
await server.start({
  transportType: 'httpStream',
  httpStream: { host: '127.0.0.1', port: Number(process.argv[2]) },
});
