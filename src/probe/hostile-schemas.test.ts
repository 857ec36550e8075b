import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planFrom } from '../scenario/load-scenario.js';
import type { JsonValue } from '../scenario/plan.js';
import { Random } from '../scenario/random.js';
import { compileTemplate } from '../scenario/template.js';
import { parseYamlSource } from '../scenario/yaml-source.js';
import { draftScenario } from './draft-scenario.js';
import { sampleArguments } from './sample-arguments.js';

const mostValues = 5000;
const mostCharacters = 65_536;

function weigh(value: unknown): { values: number; characters: number } {
  const weight = { values: 0, characters: 0 };
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    weight.values++;
    expect(next, 'nothing that JSON has not').not.toBeUndefined();
    if (typeof next === 'string') weight.characters += next.length;
    if (typeof next === 'number') expect(next).toSatisfy(Number.isFinite);
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, each] of Object.entries(next)) {
      weight.characters += key.length;
      left.push(each);
    }
  }
  return weight;
}

// Whatever the schema: arguments within bounds, or a reason; and what there is can be sent, drafted and read again.
function holdsToItsPromise(schema: unknown): void {
  for (const varied of [false, true]) {
    const { values, doubts, objection } = sampleArguments(schema as object, { varied });
    const { values: count, characters } = weigh(values);
    expect(count).toBeLessThanOrEqual(mostValues + 1);
    // Templates are escaped, which at the most doubles them.
    expect(characters).toBeLessThanOrEqual((varied ? 2 : 1) * mostCharacters + 10_000);
    expect(doubts.length).toBeLessThanOrEqual(10);
    expect(doubts.every((doubt) => doubt.length <= 200)).toBe(true);
    if (objection !== null) {
      expect(objection).toMatch(/^[a-z].{10,200}$/s);
      expect(values).toEqual({});
      continue;
    }
    if (!varied) expect(JSON.parse(JSON.stringify(values))).toEqual(values);
    else canBeDrafted(values, doubts);
  }
}

function canBeDrafted(values: Record<string, JsonValue>, doubts: readonly string[]): void {
  const context = { seq: 1, session: 0, seed: 1, random: new Random(1), row: 0, echo: '' };
  const rendered: unknown = JSON.parse(compileTemplate(values, {}).render(context));
  expect(Object.keys(rendered as object)).toEqual(Object.keys(values));
  const tool = {
    name: 'tool',
    description: '',
    inputSchema: {},
    annotations: null,
    risk: 'none' as const,
    unfit: null,
  };
  const tried = { tool, arguments: values, doubts, objection: null, bestNs: 1e6, echoes: false };
  const survey = {
    url: 'http://127.0.0.1/sse',
    server: 's',
    spoken: 'dialect classic',
    dialect: 'classic',
    from: 'tools/list' as const,
    tools: [tried],
    leftOut: [],
    problem: null,
  };
  const details = { toolVersion: '0', named: { dialect: undefined }, insecure: false, headers: [] };
  const { operations } = planFrom(parseYamlSource('drafted', draftScenario(survey, details)), 'drafted', {});
  const [operation] = operations;
  expect(operation).toMatchObject({ tool: 'tool' });
  // As text, since JSON has no negative zero.
  expect(JSON.stringify(operation!.arguments)).toBe(JSON.stringify(values));
}

const references = fc.oneof(
  fc.constantFrom(
    '#',
    '#/',
    '#/$defs/a',
    '#/$defs/b',
    '#/properties/x',
    '#/%E0%A4%A',
    '#foo',
    '',
    '/',
    '#/a~2',
  ),
  fc.constantFrom('#/__proto__', '#/constructor', '#/$defs', '#/anyOf/0', '#/items', 'http://x/#/a'),
  fc.string(),
);
const numbers = fc.oneof(
  fc.integer({ min: -5, max: 50 }),
  fc.constantFrom(5e8, -5e8, 1e308, -1e308, 5e-324, 1e-300, Infinity, NaN, -0, 0.1, 2 ** 53, 2 ** 63),
  fc.double(),
);
const names = fc.oneof(
  fc.constantFrom('x', 'y', 'message', 'id', 'url', '__proto__', 'constructor', 'toString', '', 'a.b', '[0]'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const patterns = fc.oneof(
  fc.constantFrom(
    'a{500000000}',
    '((a{1000}){1000}){1000}',
    '^(a+)+$',
    '[',
    '(',
    '\\',
    '[]',
    '[^]',
    '()',
    '(?:)*',
  ),
  fc.constantFrom(
    '^[A-Z]{3}$',
    '.*',
    '[[]',
    '[\\]]',
    '\\b',
    '$^',
    '\\u{61}',
    '(?<a>b)\\k<a>',
    '{{env HOME}}',
    '|',
  ),
  fc.string({ maxLength: 12 }),
  fc
    .array(
      fc.constantFrom('a', '(', ')', '[', ']', '*', '+', '?', '{2}', '{1,}', '|', '^', '$', '\\', 'd', '.'),
    )
    .map((parts) => parts.join('')),
);
const types = fc.constantFrom(
  'string',
  'integer',
  'number',
  'boolean',
  'null',
  'array',
  'object',
  'nonsense',
);
const formats = fc.constantFrom(
  'date',
  'uuid',
  'uri',
  'email',
  'byte',
  'constructor',
  '__proto__',
  'toString',
  'x',
);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{{env HOME}}', '{{', '{{{', '"', '\u2028', '\ud800'),
);
const literals = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue() as fc.Arbitrary<unknown>,
);

// Each keyword mostly as it should be, and sometimes anything at all.
const { schema: schemas } = fc.letrec((tie) => {
  const schema = tie('schema');
  const orAnything = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: literals });
  const list = fc.array(schema, { maxLength: 3 });
  const map = fc.dictionary(names, schema, { maxKeys: 4 });
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constant({}), fc.boolean(), literals),
      fc.record(
        {
          $ref: orAnything(references),
          $defs: fc.record({ a: schema, b: schema }, { requiredKeys: [] }),
          type: orAnything(fc.oneof(types, fc.array(types, { maxLength: 3 }))),
          properties: orAnything(map),
          required: orAnything(fc.array(names, { maxLength: 4 })),
          dependentRequired: orAnything(fc.dictionary(names, fc.array(names), { maxKeys: 2 })),
          minProperties: orAnything(numbers),
          items: orAnything(fc.oneof(schema, list)),
          prefixItems: orAnything(list),
          minItems: orAnything(numbers),
          maxItems: orAnything(numbers),
          uniqueItems: orAnything(fc.boolean()),
          anyOf: orAnything(list),
          oneOf: orAnything(list),
          allOf: orAnything(list),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: orAnything(types),
          format: orAnything(formats),
          pattern: orAnything(patterns),
          minLength: orAnything(numbers),
          maxLength: orAnything(numbers),
          minimum: orAnything(numbers),
          maximum: orAnything(numbers),
          exclusiveMinimum: orAnything(fc.oneof(numbers, fc.boolean())),
          exclusiveMaximum: orAnything(fc.oneof(numbers, fc.boolean())),
          multipleOf: orAnything(numbers),
          enum: orAnything(fc.array(literals, { maxLength: 4 })),
          const: literals,
          default: literals,
          examples: orAnything(fc.array(literals, { maxLength: 2 })),
          not: schema,
          contentEncoding: orAnything(fc.constant('base64')),
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

// As a server can send it: what JSON has no words for does not come.
const sent = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema) ?? 'null');

describe('whatever a schema says, arguments within bounds are made of it, or a reason is given', () => {
  test('arbitrary schemas', () => {
    fc.assert(
      fc.property(schemas, (schema) => holdsToItsPromise(sent(schema))),
      { numRuns: 1500 },
    );
  });

  test('arbitrary schemas of a required argument', () => {
    fc.assert(
      fc.property(schemas, schemas, (x, y) => {
        const properties = { x, y };
        holdsToItsPromise(sent({ type: 'object', properties, required: ['x', 'y'], $defs: { a: x, b: y } }));
      }),
      { numRuns: 1500 },
    );
  });

  test('arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (schema) => holdsToItsPromise(schema)),
      { numRuns: 500 },
    );
  });

  // JSON has 1e999, which is read as no number that it could be sent as.
  test.each(['{"default":1e999}', '{"const":[-1e999]}', '{"enum":[1e999,2]}', '{"minimum":1e999}'])(
    '%s',
    (text) => {
      holdsToItsPromise({ properties: { x: JSON.parse(text) as unknown }, required: ['x'] });
    },
  );
});
