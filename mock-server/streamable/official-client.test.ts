import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { conformance } from '../config/conformance.js';
import { until } from '../raw-client.fixture.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock, ServeMockOptions } from '../serve-mock.js';

// On a machine that others use too a process may stand still for a long time: that alone must fail nothing.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const primed = { eventIds: true, prime: 'empty' as const, retry: '10ms', storedEvents: 100 };
const served: NonNullable<ServeMockOptions['streamable']>[] = [
  {},
  { body: 'sse' },
  { body: 'sse', lineEnding: 'crlf', headers: 'with-message', contentLength: true, releaseDelay: '2ms' },
  primed,
  { ...primed, body: 'sse', disconnect: 1 },
  { eras: 'sessions', deleteStatus: 204, sessionHeader: 'initialize', getStreams: 0 },
];
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]!.text;

describe.each(['uws', 'node'] as const)(
  'the client of the TypeScript SDK 1.x over Streamable HTTP on the %s engine',
  (engine) => {
    let mock: RunningMock;
    let client: Client;
    let transport: StreamableHTTPClientTransport;
    afterEach(async () => {
      await client.close();
      await mock.close();
    });

    async function connect(streamable: ServeMockOptions['streamable']): Promise<void> {
      const update = {
        description: 'Says that a text changed.',
        steps: [{ update: 'test://watched-resource' }],
      };
      const tools = { ...conformance.tools, update };
      mock = await serveMock({ engine, ...conformance, tools, streamable });
      client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { sampling: {}, elicitation: {} } },
      );
      client.setRequestHandler(CreateMessageRequestSchema, () => ({
        role: 'assistant' as const,
        content: { type: 'text' as const, text: 'Paris' },
        model: 'test',
      }));
      client.setRequestHandler(ElicitRequestSchema, () => ({
        action: 'accept' as const,
        content: { username: 'ada', email: 'ada@example.com' },
      }));
      transport = new StreamableHTTPClientTransport(new URL(mock.urls.streamable), {
        reconnectionOptions: {
          initialReconnectionDelay: 10,
          maxReconnectionDelay: 10,
          reconnectionDelayGrowFactor: 1,
          maxRetries: 10,
        },
      });
      await client.connect(transport);
    }

    test.each(served)('completes a whole session with %j', async (options) => {
      await connect(options);
      expect(client.getServerVersion()?.name).toBe('mcp-bench mock');
      expect(transport.protocolVersion).toBe('2025-11-25');
      await client.ping();

      // Tools, with everything that comes before a result.
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'test_sampling']));
      const echoed = await client.callTool({ name: 'echo', arguments: { message: 'grüße \u2028 👋' } });
      expect(textOf(echoed)).toBe('grüße \u2028 👋');
      expect(await client.callTool({ name: 'fail' })).toMatchObject({ isError: true });
      await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request({ method: 'no/such' } as never, {} as never)).rejects.toMatchObject({
        code: -32601,
      });
      const counted = await Promise.all([1, 2, 3].map(() => client.callTool({ name: 'counter' })));
      expect(counted.map(textOf).sort()).toEqual(['1', '2', '3']);
      const progress: number[] = [];
      await client.callTool({ name: 'test_tool_with_progress' }, undefined, {
        onprogress: ({ progress: at }) => progress.push(at),
      });
      expect(progress).toEqual([0, 50, 100]);
      const logged: unknown[] = [];
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        logged.push(params.data);
      });
      await client.setLoggingLevel('debug');
      await client.callTool({ name: 'test_tool_with_logging' });
      expect(logged).toHaveLength(3);
      const sampled = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'Where?' } });
      expect(textOf(sampled)).toBe('LLM response: Paris');
      const elicited = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } });
      expect(textOf(elicited)).toContain('ada@example.com');

      // The rest of what a server has.
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain('test://static-text');
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
      const read = await client.readResource({ uri: 'test://template/7/data' });
      expect(read.contents[0]).toMatchObject({ text: expect.stringContaining('"id":"7"') });
      await expect(client.readResource({ uri: 'test://none' })).rejects.toMatchObject({ code: -32002 });
      expect((await client.listPrompts()).prompts.length).toBeGreaterThan(3);
      const given = { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } };
      expect(JSON.stringify(await client.getPrompt(given))).toContain("arg1='a', arg2='b'");
      const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' };
      const completed = await client.complete({ ref, argument: { name: 'arg1', value: 'test' } });
      expect(completed.completion.values).toEqual(['test', 'testValue1']);
      const updated: string[] = [];
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        updated.push(params.uri);
      });
      await client.subscribeResource({ uri: 'test://watched-resource' });
      await client.callTool({ name: 'update' });
      if (options?.getStreams !== 0) await until(() => updated.length === 1);

      // The end: a call that is given up, and the session.
      const abort = new AbortController();
      const sleeping = client.callTool({ name: 'sleep', arguments: { ms: 3_600_000 } }, undefined, {
        signal: abort.signal,
      });
      const rejected = expect(sleeping).rejects.toThrow();
      await until(async () => (await mock.stats()).calls.byTool['sleep'] === 1);
      abort.abort();
      await rejected;
      await until(async () => (await mock.stats()).calls.cancelled === 1);
      await transport.terminateSession();
      const { streamable, lateWrites, calls } = await mock.stats();
      expect(streamable).toMatchObject({ sessionsCreated: 1, sessionsDeleted: 1, sessionsOpen: 0 });
      expect(lateWrites).toBe(0);
      // All but the tool that there is not and the call that was given up; the client may ask more often.
      const { disconnects, resumes } = streamable;
      expect(disconnects).toBe(options?.disconnect === 1 ? calls.received - 2 : 0);
      expect(resumes).toBeGreaterThanOrEqual(disconnects);
    });
  },
);
