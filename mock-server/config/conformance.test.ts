import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionClient, stateless } from '../streamable/streamable-client.fixture.js';
import { conformance } from './conformance.js';
import { serveMock } from '../serve-mock.js';
import type { RunningMock } from '../serve-mock.js';

let mock: RunningMock;
beforeAll(async () => {
  mock = await serveMock(conformance);
});
afterAll(() => mock.close());

const list = async (method: string): Promise<Record<string, { name: string; description?: string }[]>> =>
  (await (await SessionClient.open(mock.urls.streamable)).ask(method)).last['result'] as never;

test('everything that is listed says what it is, by names that may be', async () => {
  const { tools } = await list('tools/list');
  const { prompts } = await list('prompts/list');
  const { resources } = await list('resources/list');
  const { resourceTemplates } = await list('resources/templates/list');
  for (const { name, description } of [...tools!, ...prompts!]) {
    expect(name).toMatch(/^[\w./-]{1,64}$/);
    expect(description).toMatch(/\.$/);
  }
  for (const { name, description } of [...resources!, ...resourceTemplates!])
    expect(`${name}: ${description}`).toMatch(/\w: .+\.$/);
});

test('it comes beside the tools of its own', async () => {
  const { tools } = await list('tools/list');
  expect(tools!.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'test_simple_text']));
});

test('a tool that asks gets its answer in both eras', async () => {
  const url = mock.urls.streamable;
  const answer = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };
  const asked = { name: 'test_sampling', arguments: { prompt: 'Where?' }, inputResponses: { answer } };
  const done = await stateless(url, 'tools/call', asked, { capabilities: { sampling: {} } }).whole();
  expect(done.value).toBe('LLM response: Paris');

  const client = await SessionClient.open(url, '2025-11-25', { sampling: {} });
  const call = client.begin('test_sampling', { prompt: 'Where?' });
  const question = await call.message(1);
  expect(question).toMatchObject({
    method: 'sampling/createMessage',
    params: { messages: [{ content: { text: 'Where?' } }] },
  });
  await client.post({ jsonrpc: '2.0', id: question.id, result: answer }).whole();
  expect((await call.whole()).value).toBe('LLM response: Paris');
});
