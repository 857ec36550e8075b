// A loop around the client of the TypeScript SDK 2.x, which knows HTTP+SSE and both eras of Streamable HTTP.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runClient } from './client-loop.mjs';

const modes = { sse: 'legacy', sessions: 'legacy', stateless: { pin: '2026-07-28' } };

await runClient(async ({ url, transport }) => {
  if (!(transport in modes)) throw new Error(`no transport ${transport}`);
  const about = { name: 'fleet-ts-sdk-2-client', version: '1.0.0' };
  const client = new Client(about, { versionNegotiation: { mode: modes[transport] } });
  const Transport = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
  const connection = new Transport(new URL(url));
  await client.connect(connection);
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: async () => {
      if (transport === 'sessions') await connection.terminateSession();
      await client.close();
    },
  };
});
