import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// The official client of others against our server: what it can do here it can do outside.
const spoken: ServeMockOptions[] = [
  { dialect: 'classic' },
  { dialect: 'rmcp' },
  { like: 'ts-sdk' },
  { like: 'python-sdk' },
  { like: 'rmcp' },
  { like: 'mcp-go' },
  { like: 'java-sdk' },
  { like: 'fastmcp-ts' },
];

describe.each(['uws', 'node'] as const)('the official SDK client on the %s engine', (engine) => {
  let mock: RunningMock;
  let client: Client;
  afterEach(async () => {
    await client.close();
    await mock.close();
  });

  test.each(spoken)(
    'completes handshake, list, calls, errors, cancellation and close with %j',
    async (options) => {
      mock = await serveMock({ engine, ...options });
      client = new Client({ name: 'test', version: '1' });
      await client.connect(new SSEClientTransport(new URL(mock.url)));
      expect(client.getServerVersion()?.name).toBe('mcp-bench mock');
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toContain('echo');
      const echoed = await client.callTool({ name: 'echo', arguments: { message: 'grüße \u2028 👋' } });
      expect(echoed.content).toEqual([{ type: 'text', text: 'grüße \u2028 👋' }]);
      const failed = await client.callTool({ name: 'fail', arguments: { message: 'no' } });
      expect(failed.isError).toBe(true);
      await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request({ method: 'no/such' } as never, {} as never)).rejects.toMatchObject({
        code: -32601,
      });
      const all = await Promise.all([1, 2, 3].map(() => client.callTool({ name: 'counter' })));
      expect(all.map((one) => (one.content as { text: string }[])[0]!.text).sort()).toEqual(['1', '2', '3']);
      const abort = new AbortController();
      const sleeping = client.callTool({ name: 'sleep', arguments: { ms: 3_600_000 } }, undefined, {
        signal: abort.signal,
      });
      const rejected = expect(sleeping).rejects.toThrow();
      await until(async () => (await mock.stats()).calls.byTool['sleep'] === 1);
      abort.abort();
      await rejected;
      await until(async () => (await mock.stats()).calls.cancelled === 1);
      await client.close();
      await until(async () => (await mock.stats()).sessions.closedByClient === 1);
      expect((await mock.stats()).lateWrites).toBe(0);
    },
  );
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
