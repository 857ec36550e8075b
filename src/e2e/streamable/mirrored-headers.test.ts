import { expect, onTestFinished, test } from 'vitest';
import { learnMirrored } from '../../run/learn-mirrored.js';
import { resolvedPlan } from '../../run/resolved-plan.fixture.js';
import { planScenario } from '../../scenario/load-scenario.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { type Played, plainScenario, runChecked } from '../fixtures/play.js';
import { answer } from '../fixtures/scripted-mcp.js';
import { echoed, json, StreamableServer, type StreamableScript } from './scripted-streamable.js';

const annotated = (type: string, header: string): object => ({ type, 'x-mcp-header': header });
const tool = (name: string, properties: object): object => ({
  name,
  inputSchema: { type: 'object', properties },
});

async function playLearned(
  pages: readonly (readonly object[])[],
  calls: ScenarioInput['calls'],
  script: StreamableScript = {},
): Promise<Played & { server: StreamableServer }> {
  const server = await StreamableServer.listen({
    onCall: (posted) => {
      const { params, method } = posted.message;
      if (method !== 'tools/list') return posted.connection.write(json(200, echoed(posted)));
      const page = Number((params as { cursor?: string }).cursor ?? 0);
      const more = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
      const result = { resultType: 'complete', tools: pages[page], ...more };
      posted.connection.write(json(200, { jsonrpc: '2.0', id: posted.message.id, result }));
    },
    ...script,
  });
  onTestFinished(() => server.close());
  const target = { url: server.url, transport: 'streamable', protocol: '2026-07-28' } as const;
  const plan = resolvedPlan(planScenario({ ...plainScenario, calls, target }));
  return { ...(await runChecked(await learnMirrored(plan, '1.2.3'))), server };
}

test('arguments that a tool wants in headers are there, whichever page it is listed on', async () => {
  const { counts, server } = await playLearned(
    [
      [tool('other', {})],
      [tool('echo', { region: annotated('string', 'Region'), n: annotated('integer', 'N') })],
    ],
    [{ tool: 'echo', arguments: { message: 'm', region: 'Zürich {{seq}}', n: '{{int 1 20}}' } }],
  );
  expect(counts).toEqual({ ok: 10 });
  const calls = server.posts.filter(({ message }) => message.method === 'tools/call');
  expect(calls).toHaveLength(10);
  for (const { request, message } of calls) {
    const { region, n } = message.params!.arguments as { region: string; n: number };
    const sent = request.headers.get('mcp-param-region')![0]!;
    expect(Buffer.from(/^=\?base64\?(.*)\?=$/.exec(sent)![1]!, 'base64').toString()).toBe(region);
    expect(request.headers.get('mcp-param-n')).toEqual([String(n)]);
  }
});

test('what a call has not is not said', async () => {
  const { server } = await playLearned(
    [[tool('echo', { region: annotated('string', 'Region'), zone: annotated('string', 'Zone') })]],
    [{ tool: 'echo', arguments: { message: 'm', region: 'eu', zone: null } }],
  );
  const { request } = server.posts.at(-1)!;
  expect(request.headers.get('mcp-param-region')).toEqual(['eu']);
  expect(request.headers.has('mcp-param-zone')).toBe(false);
});

test('a tool that says it wrongly is not called; others are', async () => {
  const wrong = tool('wrong', { region: annotated('object', 'Region') });
  await expect(playLearned([[wrong]], [{ tool: 'wrong' }])).rejects.toThrow(
    'the tool "wrong" says wrongly which arguments belong in headers',
  );
  const { counts } = await playLearned([[wrong, tool('echo', {})]], [{ tool: 'echo' }]);
  expect(counts).toEqual({ ok: 10 });
});

test('of a server that lists nothing, nothing is known', async () => {
  for (const refusal of [answer(404), json(200, []), json(200, { jsonrpc: '2.0', id: 1, result: 7 })]) {
    const { counts } = await playLearned([], [{ tool: 'echo' }], {
      onCall: (posted) =>
        posted.connection.write(posted.message.method === 'tools/list' ? refusal : json(200, echoed(posted))),
    });
    expect(counts).toEqual({ ok: 10 });
  }
});

test('a resource or prompt that each call asks for anew is named anew', async () => {
  const { counts, server } = await playLearned(
    [],
    [
      { method: 'resources/read', params: { uri: 'file:///{{seq}}.txt' } },
      { method: 'prompts/get', params: { name: 'p' } },
    ],
  );
  expect(counts).toEqual({ ok: 10 });
  for (const { request, message } of server.posts) {
    const { uri, name } = message.params as { uri?: string; name?: string };
    expect(request.headers.get('mcp-name')).toEqual([uri ?? name]);
  }
});
