// A loop around the client of the TypeScript SDK 2.x, which knows HTTP+SSE, and both eras over Streamable HTTP and stdio.
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runClient } from './client-loop.mjs';

const stateless = { pin: '2026-07-28' };
const modes = { sse: 'legacy', sessions: 'legacy', stateless, stdio: 'legacy', 'stdio-stateless': stateless };

await runClient(async ({ url, command, transport }) => {
  if (!(transport in modes)) throw new Error(`no transport ${transport}`);
  const about = { name: 'fleet-ts-sdk-2-client', version: '1.0.0' };
  const client = new Client(about, { versionNegotiation: { mode: modes[transport] } });
  const connection = connect(transport, url, command);
  await client.connect(connection);
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: async () => {
      if (transport === 'sessions') await connection.terminateSession();
      await client.close();
    },
  };
});

function connect(transport, url, command) {
  if (transport.startsWith('stdio'))
    return new StdioClientTransport({ command: command[0], args: command.slice(1) });
  return transport === 'sse'
    ? new SSEClientTransport(new URL(url))
    : new StreamableHTTPClientTransport(new URL(url));
}
