import { expect, test } from 'vitest';
import type { Exchange, ProbeClient } from './exchange.js';
import { listTools } from './list-tools.js';

test('what a pymcp server fills in by itself is not asked for', async () => {
  const result = {
    counter: {
      description: '',
      parameters: {
        server_session_id: { type: "<class 'str'>", required: true },
        step: { type: "<class 'int'>", required: true },
      },
    },
  };
  const client = {
    argumentsKey: 'kwargs',
    request: async (method: string) =>
      ({
        response: method === 'tools/call' ? { result } : { error: { code: -32601 } },
      }) as unknown as Exchange,
  } satisfies ProbeClient;
  const { tools } = await listTools(client, {});
  expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
    { type: 'object', properties: { step: { type: 'integer' } }, required: ['step'] },
  ]);
});
