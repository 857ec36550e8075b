import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from './plan.js';
import { Random } from './random.js';
import type { DataSets, TemplateContext } from './template-expression.js';
import { compileTemplate, isTextMessage, TemplateFailure } from './template.js';

const data: DataSets = {
  data: [
    { name: 'Ann "A" Lee', age: '31', 'last seen': 'now' },
    { name: 'Bo\nb', age: '7', 'last seen': '' },
  ],
  docs: [{ id: 5, tags: ['a'], note: null }],
};

function context(fields: Partial<TemplateContext> = {}): TemplateContext {
  return { seq: 42, session: 3, seed: 1, random: new Random(1), row: 0, echo: 'stale', ...fields };
}

function render(value: JsonValue, fields: Partial<TemplateContext> = {}): unknown {
  return JSON.parse(compileTemplate(value, data).render(context(fields)));
}

test.each([
  ['{{seq}}', 42],
  ['{{ seq }}', 42],
  ['{{text seq}}', '42'],
  ['call {{seq}} of {{session}}', 'call 42 of 3'],
  ['{{int 5 5}}', 5],
  ['{{int -5 -5}}', -5],
  ['{{float 2 2}}', 2],
  ['{{pick 7}}', 7],
  ['{{pick "7"}}', '7'],
  ['{{pick "one two"}}', 'one two'],
  ["{{pick 'one two'}}", 'one two'],
  ['{{data.name}}', 'Ann "A" Lee'],
  ['{{data.name}}, {{data.last seen}}', 'Ann "A" Lee, now'],
  ['{{data.age}}', '31'],
  ['{{number data.age}}', 31],
  ['{{number docs.id}}', 5],
  ['{{docs.id}}', 5],
  ['{{docs.tags}}', ['a']],
  ['{{docs.note}}', null],
  ['tags: {{docs.tags}}', 'tags: ["a"]'],
  ['{{{{seq}} is {{seq}}', '{{seq}} is 42'],
  ['}} is nothing', '}} is nothing'],
  ['{ "a": 1 }', '{ "a": 1 }'],
])('%s', (template, value) => {
  expect(render(template)).toEqual(value);
});

test.each([
  ['{{hex 16}}', /^[0-9a-f]{16}$/],
  ['{{hex 3}}', /^[0-9a-f]{3}$/],
  ['{{string 1}}', /^[\w-]{1}$/],
  ['{{string 40}}', /^[\w-]{40}$/],
  ['{{bytes 64KB}}', /^[\w-]{64000}$/],
  ['{{uuid}}', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ['{{pick red green}}', /^(red|green)$/],
])('%s varies, and looks like %s', (template, pattern) => {
  const compiled = compileTemplate(template, data);
  const here = context();
  const values = Array.from({ length: 50 }, () => JSON.parse(compiled.render(here)) as string);
  for (const value of values) expect(value).toMatch(pattern);
  expect(new Set(values).size).toBeGreaterThan(1);
});

test('long strings are all different', () => {
  const compiled = compileTemplate('{{bytes 1KB}}', {});
  const here = context();
  expect(new Set(Array.from({ length: 20_000 }, () => compiled.render(here))).size).toBe(20_000);
});

test('the environment is read when the template is compiled', () => {
  process.env['MCP_BENCH_TEST'] = 'a "b"';
  const compiled = compileTemplate('x {{env MCP_BENCH_TEST}}', {});
  delete process.env['MCP_BENCH_TEST'];
  expect(JSON.parse(compiled.render(context()))).toBe('x a "b"');
  expect(compiled.constant).toBe(true);
});

test('now is the time of day in milliseconds', () => {
  const before = Date.now();
  const now = render('{{now}}') as number;
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test('rows are taken in turn, and every column of a call from the same row', () => {
  const value = { who: '{{data.name}}', age: '{{number data.age}}' };
  expect([0, 1, 2].map((row) => render(value, { row }))).toEqual([
    { who: 'Ann "A" Lee', age: 31 },
    { who: 'Bo\nb', age: 7 },
    { who: 'Ann "A" Lee', age: 31 },
  ]);
});

test('the same seed renders the same', () => {
  const value = { a: '{{uuid}} {{int 1 1000}} {{string 20}}', b: '{{float 0 1}}' };
  expect(render(value, { random: new Random(5) })).toEqual(render(value, { random: new Random(5) }));
  expect(render(value, { random: new Random(5) })).not.toEqual(render(value, { random: new Random(6) }));
});

test('templates are found at any depth, and keys are left alone', () => {
  const value = { '{{seq}}': [1, { deep: ['{{seq}}', null, true, -1.5e300] }] };
  expect(render(value)).toEqual({ '{{seq}}': [1, { deep: [42, null, true, -1.5e300] }] });
});

test('a constant template returns the very same text', () => {
  const compiled = compileTemplate({ message: 'hi', n: 1 }, {});
  const here = context();
  expect(compiled.constant).toBe(true);
  expect(compiled.render(here)).toBe('{"message":"hi","n":1}');
  expect(here.echo).toBe('"hi"');
});

test.each<[JsonValue, string]>([
  [{ a: '{{seq}}', message: 'n "{{seq}}"', z: '{{seq}}' }, '"n \\"42\\""'],
  [{ message: 'constant', z: '{{seq}}' }, '"constant"'],
  [{ message: '{{seq}}' }, ''],
  [{ message: '{{data.age}}' }, '"31"'],
  [{ message: '{{docs.id}}' }, ''],
  [{ message: 7 }, ''],
  [{ messages: 'x' }, ''],
  [{ inner: { message: 'x' } }, ''],
  [['message'], ''],
  ['message', ''],
  [null, ''],
])('the echo of %j is %s', (value, echo) => {
  const here = context();
  const rendered = compileTemplate(value, data).render(here);
  expect(here.echo).toBe(echo);
  expect(isTextMessage(value, data)).toBe(echo !== '');
  if (echo !== '') expect((JSON.parse(rendered) as { message: string }).message).toBe(JSON.parse(echo));
});

test('says what it varies with', () => {
  const varies = (value: JsonValue): string => compileTemplate(value, data).varies;
  expect([{}, '{{data.age}}', ['{{data.age}}', '{{seq}}'], ['{{seq}}', '{{data.age}}']].map(varies)).toEqual([
    'never',
    'row',
    'call',
    'call',
  ]);
});

test.each([
  ['{{sequence}}', 'there is no template {{sequence}} (there are: {{seq}} {{session}} {{now}}'],
  ['{{uid}}', 'there is no template {{uid}}; did you mean "uuid"?'],
  ['{{}}', 'there is no template {{}} (there are:'],
  ['{{constructor}}', 'there is no template {{constructor}} (there are:'],
  ['{{seq 1}}', '{{seq 1}}: {{seq}} takes nothing after it'],
  ['{{int}}', '{{int}}: {{int}} takes two whole numbers, such as {{int 1 20}}'],
  ['{{int 1 x}}', '{{int 1 x}}: {{int}} takes two whole numbers, such as {{int 1 20}}'],
  ['{{int 1.5 2}}', '{{int 1.5 2}}: {{int}} takes two whole numbers, such as {{int 1 20}}'],
  ['{{int 9 1}}', '{{int 9 1}}: the first number must not be above the second'],
  ['{{float 0 Infinity}}', '{{float 0 Infinity}}: {{float}} takes two numbers, such as {{float 0 1}}'],
  ['{{hex}}', '{{hex}}: {{hex}} takes a length, such as {{hex 16}}'],
  [
    '{{hex 0}}',
    '{{hex 0}}: {{hex}} takes a size such as 512, 64KB or 1MiB, from 1 to 64MiB, such as {{hex 16}}',
  ],
  ['{{bytes 9GB}}', '{{bytes 9GB}}: {{bytes}} takes a size such as 512, 64KB or 1MiB, from 1 to 64MiB'],
  ['{{pick}}', '{{pick}} takes at least one thing to pick from, such as {{pick red green}}'],
  ['{{env}}', '{{env}}: {{env}} takes the name of an environment variable, such as {{env USER}}'],
  ['{{env NO_SUCH_VAR}}', '{{env NO_SUCH_VAR}}: the environment variable NO_SUCH_VAR is not set'],
  [
    '{{dat.name}}',
    '{{dat.name}}: the scenario has no data file called "dat"; did you mean "data"? (it has: data, docs)',
  ],
  [
    '{{data.nam}}',
    '{{data.nam}}: row 1 of the data has no column "nam"; did you mean "name"? (it has: name, age, last seen)',
  ],
  [
    '{{number data.name}}',
    '{{number data.name}}: row 1 of the data has "Ann \\"A\\" Lee" there, which is no number',
  ],
  ['{{number seq}}', '{{number …}} takes a column of a data file, such as {{number data.age}}'],
  ['a {{seq', 'a template is not closed: expected }} after {{ (for the text {{ itself write {{{{)'],
])('%s is refused', (template, message) => {
  expect(() => compileTemplate({ a: [template] }, data)).toThrow(TemplateFailure);
  try {
    compileTemplate({ a: [template] }, data);
  } catch (error) {
    expect((error as Error).message.slice(0, message.length)).toBe(message);
    expect((error as TemplateFailure).path).toEqual(['a', 0]);
    expect(template).toContain((error as TemplateFailure).expression);
  }
});

test('without data files it says so', () => {
  expect(() => compileTemplate('{{data.x}}', {})).toThrow(
    '{{data.x}}: the scenario has no data file called "data" (it has no data:)',
  );
});

test('any JSON renders to itself, and any mix of text and expressions to valid JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      const escaped: JsonValue = JSON.parse(json, (_, inner: unknown) =>
        typeof inner === 'string' ? inner.replaceAll('{{', '{{{{') : inner,
      );
      expect(render(escaped)).toEqual(JSON.parse(json));
    }),
  );
  const expression = fc.constantFrom(
    '{{seq}}',
    '{{int 1 9}}',
    '{{uuid}}',
    '{{data.name}}',
    '{{docs.tags}}',
    '{{now}}',
  );
  const text = fc
    .array(
      fc.oneof(
        expression,
        fc.string({ unit: 'binary' }).map((part) => part.replaceAll('{', '')),
      ),
    )
    .map((parts) => parts.join(''));
  const value = fc.dictionary(fc.oneof(fc.constant('message'), fc.string()), text);
  fc.assert(
    fc.property(value, fc.nat(), (value, row) => {
      const here = context({ row });
      const rendered = JSON.parse(compileTemplate(value, data).render(here)) as Record<string, unknown>;
      expect(Object.keys(rendered)).toEqual(Object.keys(value));
      if (here.echo !== '') expect(JSON.parse(here.echo)).toBe(rendered['message']);
    }),
  );
});

test.each([
  [
    'plain {{seq}} {{session}} {{now}} {{int 1 2}} {{float 0 1}} {{hex 8}} {{uuid}} {{string 9}} {{bytes 9}}',
    true,
  ],
  ['{{pick a b}} {{data.name}} {{number data.age}} {{text data.age}}', true],
  ['{{docs.tags}}', true],
  ['Grüße {{seq}}', false],
  ['Grüße', false],
  ['{{pick a ä}}', false],
  ['{{text towns.name}}', false],
  ['{{towns.name}}', false],
  ['{{towns.sizes}}', false],
  [{ ключ: 1 }, false],
  [{ message: '{{seq}}', note: 'ä' }, false],
] as const)('%j: whether nothing but ASCII can come of it', (value, ascii) => {
  const towns = [
    { name: 'Bonn', sizes: ['small'] },
    { name: 'Köln', sizes: ['groß'] },
  ];
  const template = compileTemplate(value, { ...data, towns });
  expect(template.ascii).toBe(ascii);
  // And what is said of all calls holds for these.
  const texts = [0, 1].map((row) => template.render(context({ row })));
  if (ascii) expect(texts.map((text) => Buffer.byteLength(text))).toEqual(texts.map(({ length }) => length));
});
