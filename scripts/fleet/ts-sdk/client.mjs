// A loop around the client of the TypeScript SDK 1.x, which knows HTTP+SSE, the sessions era of Streamable HTTP, and stdio.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { runClient } from './client-loop.mjs';

await runClient(async ({ url, command, transport }) => {
  const transports = {
    sse: () => new SSEClientTransport(new URL(url)),
    sessions: () => new StreamableHTTPClientTransport(new URL(url)),
    stdio: () => new StdioClientTransport({ command: command[0], args: command.slice(1) }),
  };
  if (!(transport in transports)) throw new Error(`no transport ${transport}`);
  const client = new Client({ name: 'fleet-ts-sdk-client', version: '1.0.0' });
  const connection = transports[transport]();
  await client.connect(connection);
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: async () => {
      if (transport === 'sessions') await connection.terminateSession();
      await client.close();
    },
  };
});
