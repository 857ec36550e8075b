import { describe, expect, it } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { conformance } from '../config/conformance.js';
import { checkConfig } from '../config/load-config.js';
import { FillIn } from './fill-in.js';
import { coreOf } from '../core.fixture.js';
import { ResourceBox } from './resource-box.js';

/** The results, or errors, of requests on one session of a mock with this configuration. */
function answers(config: MockConfigInput, requests: [method: string, params?: object][]): unknown[] {
  const { open, loop } = coreOf(config);
  const session = open();
  for (const [at, [method, params]] of requests.entries())
    session.post({ jsonrpc: '2.0', id: at, method, params: params ?? {} });
  loop.pass(1);
  return session.sink.messages.map(({ result, error }) => result ?? error);
}
const answer = (config: MockConfigInput, method: string, params?: object): unknown =>
  answers(config, [[method, params]])[0];

describe('texts with ${…}', () => {
  it('are filled in: a text as it is, anything else as JSON, nothing for what is not there', () => {
    const made = new FillIn({ a: ['${x}', { b: '<${y.z}> ${y}' }], c: '${no} ${y.no.no} ${toString}', d: 1 });
    expect(JSON.parse(made.json({ x: '"quoted"', y: { z: 5 } }))).toEqual({
      a: ['"quoted"', { b: '<5> {"z":5}' }],
      c: '  ',
      d: 1,
    });
  });

  it('are not filled in twice', () => {
    expect(new FillIn('${x}').json({ x: '${y}', y: 'no' })).toBe('"${y}"');
  });
});

describe('a configured tool', () => {
  it('returns its content as it is, with the arguments filled in', () => {
    const content: Record<string, string>[] = [
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'text', text: '${arguments.q}' },
    ];
    const tools = { find: { arguments: { q: 'string' as const }, content } };
    expect(answer({ tools }, 'tools/call', { name: 'find', arguments: { q: 'a"b' } })).toEqual({
      content: [content[0], { type: 'text', text: 'a"b' }],
    });
    expect(answer({ tools }, 'tools/call', { name: 'find', arguments: {} })).toMatchObject({ code: -32602 });
  });

  it('is listed with its schema, whatever that is', () => {
    const inputSchema = {
      type: 'object',
      $defs: { a: true },
      properties: { x: true, y: { type: ['string', 'null'] } },
    };
    const config = { tools: { odd: { inputSchema } } };
    const { tools } = answer(config, 'tools/list') as { tools: { name: string; inputSchema: object }[] };
    expect(tools.find(({ name }) => name === 'odd')!.inputSchema).toEqual({ ...inputSchema, required: [] });
    expect(answer(config, 'tools/call', { name: 'odd', arguments: { x: [] } })).toEqual({
      content: [{ type: 'text', text: 'ok' }],
    });
    const described = answer({ ...config, dialect: 'pymcp' }, 'initialize', { protocolVersion: '0.3.0' });
    expect(described).toMatchObject({ capabilities: { tools: expect.arrayContaining(['odd']) } });
  });
});

describe('configured prompts', () => {
  const prompts: MockConfigInput['prompts'] = {
    review: {
      description: 'Reviews code.',
      arguments: { code: { description: 'what', values: ['a', 'ab', 'b'] }, style: { required: false } },
      messages: [
        { role: 'user', content: { type: 'text', text: 'Review ${arguments.code} ${arguments.style}' } },
      ],
    },
  };

  it('are listed, and given with their arguments', () => {
    const list = answer({ prompts }, 'prompts/list') as { prompts: unknown[] };
    expect(list.prompts).toContainEqual({
      name: 'review',
      description: 'Reviews code.',
      arguments: [
        { name: 'code', description: 'what', required: true },
        { name: 'style', required: false },
      ],
    });
    const given = { name: 'review', arguments: { code: 'x' } };
    expect(answer({ prompts }, 'prompts/get', given)).toEqual({
      description: 'Reviews code.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review x ' } }],
    });
    expect(answer({ prompts }, 'prompts/get', { name: 'review' })).toMatchObject({ code: -32602 });
    expect(answer({ prompts }, 'prompts/get', { name: 'no' })).toMatchObject({ code: -32602 });
  });

  it('have completions', () => {
    const ref = { type: 'ref/prompt', name: 'review' };
    const complete = (argument: object, of: object = ref): unknown =>
      answer({ prompts }, 'completion/complete', { ref: of, argument });
    expect(complete({ name: 'code', value: 'a' })).toEqual({
      completion: { values: ['a', 'ab'], total: 2, hasMore: false },
    });
    expect(complete({ name: 'style', value: '' })).toEqual({
      completion: { values: [], total: 0, hasMore: false },
    });
    for (const wrong of [{}, { type: 'ref/prompt', name: 'no' }, { type: 'ref/resource' }, null, 5])
      expect(complete({ name: 'code', value: '' }, wrong as object)).toMatchObject({ code: -32602 });
    expect(complete({ name: 'code' })).toMatchObject({ code: -32602 });
  });
});

describe('configured resources', () => {
  const resources = {
    'test://a.b/c': { name: 'c', text: 'hello' },
    'test://bin': { mimeType: 'image/png', blob: 'AA==' },
  };
  const resourceTemplates = {
    'test://t/{id}/x-{kind}': { text: '${id}+${kind}', values: { id: ['1', '2'] } },
  };
  const config = { resources, resourceTemplates };
  const read = (uri: string): unknown => answer(config, 'resources/read', { uri });

  it('are listed and read', () => {
    expect(answer(config, 'resources/list')).toMatchObject({
      resources: [
        { uri: 'mock://config.json' },
        { uri: 'test://a.b/c', name: 'c' },
        { uri: 'test://bin', name: 'test://bin' },
      ],
    });
    expect(read('test://a.b/c')).toEqual({
      contents: [{ uri: 'test://a.b/c', mimeType: 'text/plain', text: 'hello' }],
    });
    expect(read('test://bin')).toEqual({
      contents: [{ uri: 'test://bin', mimeType: 'image/png', blob: 'AA==' }],
    });
    expect(read('test://aXb/c')).toMatchObject({ code: -32002, data: { uri: 'test://aXb/c' } });
  });

  it('are made from templates', () => {
    expect(answer(config, 'resources/templates/list')).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'test://t/{id}/x-{kind}', mimeType: 'text/plain' }],
    });
    const uri = 'test://t/a%20b/x-%zz';
    expect(read(uri)).toEqual({ contents: [{ uri, mimeType: 'text/plain', text: 'a b+%zz' }] });
    for (const no of ['test://t//x-1', 'test://t/a/b/x-1', 'test://t/a/x-1/more', 'atest://t/a/x-1'])
      expect(read(no)).toMatchObject({ code: -32002 });
  });

  it('are matched without going back', () => {
    const resourceTemplates = { 'a{x}a{y}a{z}a{w}b': { text: '${w}' } };
    const box = new ResourceBox({}, checkConfig({ resourceTemplates }, () => '').resourceTemplates);
    expect(box.contents('a'.repeat(1_000_000))).toBeUndefined();
    expect(box.contents('a1a2a3a4ab')).toContain('"text":"4a"');
    expect(box.contents('a1a2b')).toBeUndefined();
  });

  it('have completions', () => {
    const ref = { type: 'ref/resource', uri: 'test://t/{id}/x-{kind}' };
    expect(answer(config, 'completion/complete', { ref, argument: { name: 'id', value: '' } })).toEqual({
      completion: { values: ['1', '2'], total: 2, hasMore: false },
    });
  });

  it('can be subscribed to', () => {
    expect(answer(config, 'resources/subscribe', { uri: 'test://bin' })).toEqual({});
    expect(answer(config, 'resources/unsubscribe', { uri: 'test://bin' })).toEqual({});
    expect(answer(config, 'resources/subscribe')).toMatchObject({ code: -32602 });
  });
});

describe('mistakes in the configuration', () => {
  const mistake = (config: object): string => {
    try {
      checkConfig(config, (path) => path.join('.'));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    [{ tools: { a: { result: 1, content: [{}] } } }, 'give one of result, content, resultBytes and fails'],
    [
      { tools: { a: { arguments: {}, inputSchema: { type: 'object' } } } },
      'give one of arguments and inputSchema',
    ],
    [{ tools: { a: { inputSchema: { type: 'string' } } } }, 'expected a JSON Schema with type: object'],
    [
      { tools: { a: { asks: [{ x: { method: 'roots/list' } }, { y: { method: 'roots/list' } }] } } },
      'need state: true',
    ],
    [{ resources: { 'test://a': {} } }, 'give either text or blob'],
    [{ resources: { 'no uri': { text: '' } } }, 'resources'],
    [{ resourceTemplates: { 'test://a': { text: '' } } }, 'resourceTemplates'],
    [{ resourceTemplates: { 'test://{a}{b}': { text: '' } } }, 'resourceTemplates'],
  ])('%j', (config, message) => {
    expect(mistake(config)).toContain(message);
  });
});

it('the configuration for the conformance suite is one', () => {
  const config = checkConfig(conformance, () => 'conformance');
  expect(Object.keys(config.tools)).toContain('test_simple_text');
});
