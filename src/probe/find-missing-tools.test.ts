import { afterEach, describe, expect, test } from 'vitest';
import { accepted, event, McpServer, type McpScript } from '../e2e/fixtures/scripted-mcp.js';
import { planScenario } from '../scenario/load-scenario.js';
import { findMissingTools } from './find-missing-tools.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What is missing of `echo` and `search` where the server's answer to the nth tools/list is this. */
async function missingOf(resultOf: (page: number) => object, timeoutMs = 2000): Promise<unknown> {
  let pages = 0;
  const script: McpScript = {
    onCall: (post, server) => {
      if (post.message.method !== 'tools/list') return server.serve(post);
      post.connection.write(accepted);
      post.session.stream.write(event({ jsonrpc: '2.0', id: post.message.id, result: resultOf(++pages) }));
    },
  };
  const server = await McpServer.listen(script);
  closing.push(() => server.close());
  const { target } = planScenario(
    { sessions: 1, load: { model: 'count', calls: 1 }, calls: [{ method: 'ping' }] },
    { target: server.url },
  );
  const found = await findMissingTools(target, ['echo', 'search'], timeoutMs);
  return found?.missing ?? null;
}

describe('of the tools that are wanted', () => {
  test('those are missing that no page lists', async () => {
    const pages = [{ tools: [{ name: 'echo' }], nextCursor: '2' }, { tools: [{ name: 'sleep' }] }];
    expect(await missingOf((page) => pages[page - 1]!)).toEqual(['search']);
  });

  test.each([
    ['what is no tool', { tools: [{ name: 'echo' }, null] }],
    ['a tool without a name', { tools: [{ name: 5 }] }],
    ['no list', { tools: 5 }],
  ])('nobody can tell where the server lists %s', async (_, result) => {
    expect(await missingOf(() => result)).toBeNull();
  });

  test('nobody can tell where the list does not end in time', async () => {
    let asked = 0;
    expect(await missingOf((page) => ({ tools: [], nextCursor: `${(asked = page)}` }), 1)).toBeNull();
    expect(asked).toBeLessThan(50);
  });
});
