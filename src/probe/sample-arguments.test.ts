import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Random } from '../scenario/random.js';
import { compileTemplate } from '../scenario/template.js';
import type { JsonSchema } from './json-schema.js';
import { sampleArguments } from './sample-arguments.js';
import { sharedEffort } from './sample-budget.js';

const property = (schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { x: schema },
  required: ['x'],
});
const fixed = (schema: JsonSchema): unknown =>
  sampleArguments(property(schema), { varied: false }).values['x'];
const varied = (schema: JsonSchema): unknown =>
  sampleArguments(property(schema), { varied: true }).values['x'];

describe('one value by its schema', () => {
  test.each<[JsonSchema, unknown]>([
    [{ type: 'string' }, 'example'],
    [{ type: 'string', minLength: 10 }, 'exampleexa'],
    [{ type: 'string', maxLength: 3 }, 'exa'],
    [{ type: 'string', format: 'date-time' }, '2024-01-31T12:00:00Z'],
    [{ type: 'string', format: 'uri' }, 'http://127.0.0.1/'],
    [{ type: 'string', format: 'email' }, 'someone@example.com'],
    [{ type: 'string', pattern: '^[A-Z]{3}-\\d{2,4}$' }, 'AAA-11'],
    [{ type: 'string', const: 'exactly' }, 'exactly'],
    [{ type: 'string', default: 'usual' }, 'usual'],
    [{ type: 'string', examples: ['such'] }, 'such'],
    [{ enum: ['red', 'green'] }, 'red'],
    [{ enum: ['delete', 'list'] }, 'list'],
    [{ type: 'integer' }, 1],
    [{ type: 'integer', minimum: 7, maximum: 9 }, 7],
    [{ type: 'integer', maximum: -3 }, -3],
    [{ type: 'integer', exclusiveMinimum: 4 }, 5],
    [{ type: 'integer', minimum: 4, exclusiveMinimum: true }, 5],
    [{ type: 'integer', minimum: 3, multipleOf: 5 }, 5],
    [{ type: 'number', minimum: 0.25, maximum: 0.75 }, 0.75],
    [{ type: 'boolean' }, false],
    [{ type: 'null' }, null],
    [{ type: ['null', 'integer'] }, 1],
    [{ type: 'array', items: { type: 'integer' } }, [1]],
    [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['example', 'example']],
    [{ type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true }, ['example', 'example1']],
    [
      { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 2, uniqueItems: true },
      ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'],
    ],
    [{ type: 'array', items: { enum: ['drop', 'a', 'b'] }, minItems: 2, uniqueItems: true }, ['a', 'b']],
    [{ type: 'array', prefixItems: [{ type: 'integer' }, { type: 'boolean' }] }, [1, false]],
    [{ type: 'array' }, []],
    [{ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 2 }] }, 2],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'a'],
    [{ allOf: [{ type: 'integer' }, { minimum: 3 }] }, 3],
    [{ type: 'object', properties: { a: { type: 'integer' }, b: {} }, required: ['a'] }, { a: 1 }],
    [
      { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'boolean' } }, minProperties: 2 },
      { a: 1, b: false },
    ],
    [
      { type: 'object', properties: { a: {}, b: {} }, required: ['a'], dependentRequired: { a: ['b'] } },
      { a: 'example', b: 'example' },
    ],
    [{}, 'example'],
  ])('%j', (schema, value) => {
    expect(fixed(schema)).toEqual(value);
  });
});

describe('as templates of a scenario', () => {
  test.each<[JsonSchema, unknown]>([
    [{ type: 'integer', minimum: 1, maximum: 5 }, '{{int 1 5}}'],
    [{ type: 'integer', minimum: 0, maximum: 1_000_000 }, '{{int 0 19}}'],
    [{ enum: ['red', 'deep blue'] }, '{{pick "red" "deep blue"}}'],
    [{ enum: ['1', '2'] }, '{{pick "1" "2"}}'],
    [{ enum: [1, 2] }, '{{pick 1 2}}'],
    [{ enum: ['list', 'drop'] }, 'list'],
    [{ type: 'string', format: 'uuid' }, '{{uuid}}'],
    [
      { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, minItems: 2, uniqueItems: true },
      [1, 2],
    ],
    [{ type: 'array', items: { enum: ['{{a', 'b'] }, minItems: 2, uniqueItems: true }, ['{{{{a', 'b']],
    [{ type: 'string', default: 'a {{name}}' }, 'a {{{{name}}'],
    [{ default: { list: ['{{x}}'] } }, { list: ['{{{{x}}'] }],
  ])('%j', (schema, value) => {
    expect(varied(schema)).toEqual(value);
  });

  test('free texts differ from call to call, within their length', () => {
    const text = (schema: JsonSchema): unknown =>
      sampleArguments({ properties: { message: schema }, required: ['message'] }, { varied: true }).values[
        'message'
      ];
    expect(text({ type: 'string' })).toBe('{{seq}} {{hex 16}}');
    expect(text({ type: 'string', maxLength: 5 })).toBe('{{string 5}}');
    expect(text({ type: 'string', minLength: 100 })).toBe('{{string 100}}');
    expect(text({ type: 'string', maxLength: 40 })).toBe('{{string 16}}');
  });

  test('what is optional is left out, unless it has a default', () => {
    const schema: JsonSchema = {
      properties: { a: { type: 'string' }, b: { type: 'integer', default: 3 }, c: { default: null } },
    };
    expect(sampleArguments(schema, { varied: true }).values).toEqual({ b: 3 });
    expect(sampleArguments(schema, { varied: false }).values).toEqual({});
  });
});

describe('references', () => {
  const root: JsonSchema & { $defs: object } = {
    $defs: {
      'a/b': { type: 'integer', minimum: 9 },
      node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] },
    },
    properties: { x: { $ref: '#/$defs/a~1b' } },
    required: ['x'],
  };

  test('are followed', () => {
    expect(sampleArguments(root, { varied: false })).toMatchObject({ values: { x: 9 }, doubts: [] });
  });

  test('that lead nowhere, outside or in circles are doubts and no end of it', () => {
    const doubts = (reference: string): readonly string[] =>
      sampleArguments({ ...root, properties: { x: { $ref: reference } } }, { varied: false }).doubts;
    expect(doubts('#/$defs/none')).toEqual(['x: #/$defs/none cannot be followed']);
    expect(doubts('https://example.com/schema')).toEqual([
      'x: https://example.com/schema cannot be followed',
    ]);
    expect(doubts('#/properties/x')).toEqual(['x: refers to itself']);
    expect(doubts('#/$defs/node')[0]).toMatch(/nested too deeply/);
  });
});

test('what cannot be matched is said', () => {
  const { doubts } = sampleArguments(property({ type: 'string', pattern: '^(?=.*\\d)(?!x).+$' }), {
    varied: false,
  });
  expect(
    sampleArguments(property({ type: 'array', items: { const: 1 }, minItems: 2, uniqueItems: true }), {
      varied: true,
    }).doubts,
  ).toEqual(['x: its items should differ, and do not']);
  expect(doubts).toEqual(['x: nothing was found to match the pattern ^(?=.*\\d)(?!x).+$']);
});

test.each([false, true])(
  'the official SDK accepts what is made from the schemas that it lists, varied %s',
  async (asTemplates) => {
    const shapes: Record<string, z.ZodRawShape> = {
      texts: {
        a: z.string().min(30),
        b: z.email(),
        c: z.uuid(),
        d: z.string().regex(/^v\d+\.\d+$/),
        e: z.iso.date(),
      },
      numbers: {
        a: z.number().int().min(3).max(8),
        b: z.number().positive().lt(1),
        c: z.number().multipleOf(0.5),
      },
      choices: { a: z.enum(['x', 'y']), b: z.union([z.literal('k'), z.number()]), c: z.string().nullable() },
      nested: {
        a: z.object({ b: z.array(z.object({ c: z.boolean() })).min(2) }),
        d: z.tuple([z.string(), z.number()]),
      },
      optional: { a: z.string().optional(), b: z.number().default(4), message: z.string().max(20) },
      either: {
        a: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('p'), n: z.number() }),
          z.object({ kind: z.literal('q') }),
        ]),
      },
      records: { a: z.record(z.string(), z.number()), b: z.url() },
    };
    const server = new McpServer({ name: 's', version: '1' });
    for (const [name, inputSchema] of Object.entries(shapes))
      server.registerTool(name, { inputSchema }, () => ({ content: [{ type: 'text', text: 'taken' }] }));
    const client = new Client({ name: 'c', version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(Object.keys(shapes).length);
    const context = { seq: 12345, session: 0, seed: 1, random: new Random(1), row: 0, echo: '' };
    for (const { name, inputSchema } of tools) {
      const { values } = sampleArguments(inputSchema as JsonSchema, { varied: asTemplates });
      const rendered = asTemplates
        ? (JSON.parse(compileTemplate(values, {}).render(context)) as object)
        : values;
      const answer = await client.callTool({ name, arguments: rendered as Record<string, unknown> });
      expect({ name, rendered, answer: answer.content }).toEqual({
        name,
        rendered,
        answer: [{ type: 'text', text: 'taken' }],
      });
    }
    await client.close();
  },
);

describe('what asks for too much is refused with its reason, and soon', () => {
  const selfReferring = (count: number): object => {
    const names = Array.from({ length: count }, (_, at) => `p${at}`);
    const node = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
      required: names,
    };
    return node;
  };
  const wide = (count: number): object => ({
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `d${at}`,
        { anyOf: Array.from({ length: count }, (__, other) => ({ $ref: `#/$defs/d${other}` })) },
      ]),
    ),
    properties: { x: { $ref: '#/$defs/d0' } },
    required: ['x'],
  });

  test.each<[string, object, RegExp]>([
    ['ten self-referring properties', selfReferring(10), /refers to itself, or branches, too often/],
    ['alternatives that all refer to each other', wide(20), /too often to be followed/],
    ['a text of half a billion', property({ minLength: 5e8 }), /more than 65,536 characters/],
    [
      'a message of half a billion',
      { properties: { message: { minLength: 5e8 } }, required: ['message'] },
      /65,536/,
    ],
    ['a list of a billion', property({ type: 'array', minItems: 1e9 }), /more than 5,000 values/],
    [
      'a billion that differ',
      property({ type: 'array', minItems: 1e9, uniqueItems: true }),
      /more than 5,000 values/,
    ],
    ['a default larger than a tool takes', property({ default: 'x'.repeat(70_000) }), /65,536 characters/],
    ['a name that is no name', { required: ['__proto__'] }, /__proto__/],
    ['a pattern that backtracks', property({ pattern: '^(a+)+\\B$', minLength: 30 }), /too long to check/],
  ])('%s', (_, schema, reason) => {
    for (const asTemplates of [false, true]) {
      const { values, objection } = sampleArguments(schema, { varied: asTemplates });
      expect(objection).toMatch(reason);
      expect(values).toEqual({});
    }
  });

  test.each<[string, object, unknown, string]>([
    ['a reference that is no text', { $ref: 5 }, 'example', 'x: `$ref` is not a text'],
    ['choices that are no list', { enum: 'x' }, 'example', 'x: `enum` is not a list'],
    [
      'a reference that no URL can hold',
      { $ref: '#/%E0%A4%A' },
      'example',
      'x: #/%E0%A4%A cannot be followed',
    ],
    ['an anchor, which is not followed', { $ref: '#here' }, 'example', 'x: #here cannot be followed'],
    ['a prototype', { $ref: '#/constructor' }, 'example', 'x: #/constructor cannot be followed'],
    ['a schema that is none', 'string' as unknown as object, 'example', 'x: its schema is no object'],
    ['a step of nothing', { type: 'number', multipleOf: 0 }, 1, 'x: `multipleOf` is not a number above 0'],
  ])('%s is said, and left out of account', (_, schema, value, doubt) => {
    const { values, doubts, objection } = sampleArguments(
      { properties: { x: schema }, required: ['x'] },
      { varied: false },
    );
    expect({ values, objection }).toEqual({ values: { x: value }, objection: null });
    expect(doubts[0]).toContain(doubt);
  });

  test('of mutually recursive alternatives the one that ends is taken', () => {
    const $defs = {
      a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'integer', minimum: 7 }] },
      b: { anyOf: [{ $ref: '#/$defs/a' }] },
    };
    const schema = { $defs, properties: { x: { $ref: '#/$defs/b' } }, required: ['x'] };
    expect(sampleArguments(schema, { varied: false })).toEqual({
      values: { x: 7 },
      doubts: [],
      objection: null,
    });
  });

  test('what a word of JavaScript is called is a name like any other', () => {
    const schema = {
      properties: { constructor: { type: 'integer' }, x: { format: 'toString' } },
      required: ['constructor', 'x', 'valueOf'],
    };
    expect(sampleArguments(schema, { varied: false }).values).toEqual({
      constructor: 1,
      x: 'example',
      valueOf: 'example',
    });
  });

  test('bad schemas share their effort: a thousand of them take no longer than a few', () => {
    const effort = sharedEffort();
    const reasonsFor = (schema: object, count: number): (string | null)[] =>
      Array.from({ length: count }, () => sampleArguments(schema, { varied: false, effort }).objection);
    const slow = reasonsFor(property({ pattern: '^(a+)+\\B$', minLength: 30 }), 6);
    expect(slow.map((reason) => reason?.replace(/:.*/, ''))).toEqual([
      ...Array<string>(4).fill('its pattern takes too long to check'),
      ...Array<string>(2).fill('patterns are no longer checked'),
    ]);
    const wideReasons = reasonsFor(wide(20), 1000);
    expect(new Set(wideReasons).size).toBe(2);
    expect(wideReasons.at(-1)).toMatch(/tools before it took all/);
  });
});
