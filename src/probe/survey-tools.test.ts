import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterEach, expect, test } from 'vitest';
import { planScenario } from '../scenario/load-scenario.js';
import { type SdkServer, serveSdkSse } from './sdk-server.fixture.js';
import { surveyTools } from './survey-tools.js';

let server: SdkServer | undefined;
afterEach(() => server?.close());

const ok = () => ({ content: [{ type: 'text' as const, text: 'ok' }] });

async function survey(
  fill: (mcp: McpServer) => void,
  options: { timeoutMs?: number; allowDestructive?: boolean } = {},
): Promise<Record<string, string | null>> {
  server = await serveSdkSse(() => {
    const mcp = new McpServer({ name: 's', version: '1' });
    fill(mcp);
    return mcp;
  });

  const { target } = planScenario(
    { sessions: 1, load: { model: 'count', calls: 1 }, calls: [{ method: 'ping' }] },
    { target: server.url },
  );
  const { tools } = await surveyTools(target, { timeoutMs: 10_000, allowDestructive: false, ...options });
  return Object.fromEntries(tools.map(({ tool, objection }) => [tool.name, objection]));
}

// What mcp-go says of every tool of which nothing else is said.
const annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

test.each([
  [false, 'its annotations call it destructive', 'its annotations say that it reaches out into the world'],
  [true, null, null],
])('marked tools, allowed %s', async (allowDestructive, marked, reaching) => {
  const objections = await survey(
    (mcp) => {
      mcp.registerTool('marked', { inputSchema: {}, annotations }, ok);
      mcp.registerTool(
        'reaching',
        { inputSchema: {}, annotations: { ...annotations, readOnlyHint: true } },
        ok,
      );
    },
    { allowDestructive },
  );
  expect(objections).toEqual({ marked, reaching });
});

test('a tool that takes longer than we wait is left out as such', async () => {
  const objections = await survey(
    (mcp) => {
      mcp.registerTool('long', { inputSchema: {} }, () => new Promise(() => {}));
      mcp.registerTool('short', { inputSchema: {} }, ok);
    },
    { timeoutMs: 1500 },
  );
  expect(objections).toEqual({
    long: 'it gave no answer within 1.5 s (--timeout waits longer)',
    short: null,
  });
});
