// A loop around the client of the TypeScript SDK 1.x, which knows HTTP+SSE and the sessions era of Streamable HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { runClient } from './client-loop.mjs';

await runClient(async ({ url, transport }) => {
  const transports = { sse: SSEClientTransport, sessions: StreamableHTTPClientTransport };
  if (!(transport in transports)) throw new Error(`no transport ${transport}`);
  const client = new Client({ name: 'fleet-ts-sdk-client', version: '1.0.0' });
  const connection = new transports[transport](new URL(url));
  await client.connect(connection);
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: async () => {
      if (transport === 'sessions') await connection.terminateSession();
      await client.close();
    },
  };
});
