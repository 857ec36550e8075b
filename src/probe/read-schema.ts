import { isMap } from './is-map.js';
import type { JsonSchema } from './json-schema.js';

type Keyword = keyof JsonSchema;
type Check = readonly [fits: (value: unknown) => boolean, expected: string];

const text: Check = [(value) => typeof value === 'string', 'a text'];
const list: Check = [Array.isArray, 'a list'];
const texts: Check = [
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  'a list of texts',
];
const map: Check = [isMap, 'an object'];
const number: Check = [Number.isFinite, 'a finite number'];
const count: Check = [(value) => Number.isFinite(value) && (value as number) >= 0, 'a number from 0 up'];
const bound: Check = [
  (value) => Number.isFinite(value) || typeof value === 'boolean',
  'a finite number, or true',
];
const anything: Check = [() => true, ''];

const checks: Readonly<Record<Keyword, Check>> = {
  $ref: text,
  type: [(value) => typeof value === 'string' || texts[0](value), 'a text, or a list of texts'],
  const: anything,
  default: anything,
  enum: list,
  examples: list,
  format: text,
  pattern: text,
  contentEncoding: text,
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: [(value) => Number.isFinite(value) && (value as number) > 0, 'a number above 0'],
  properties: map,
  required: texts,
  minProperties: count,
  dependentRequired: map,
  items: anything,
  prefixItems: list,
  minItems: count,
  maxItems: count,
  uniqueItems: [(value) => typeof value === 'boolean', 'true or false'],
  anyOf: list,
  oneOf: list,
  allOf: list,
  not: anything,
  if: anything,
};
const keywords = Object.keys(checks) as Keyword[];

/** One level of a schema that a server sent: what is not as it should be is left out, and said in `wrong`. */
export function readSchema(given: unknown): { schema: JsonSchema; wrong: string[] } {
  // True allows everything, and so does what is missing.
  if (given === undefined || typeof given === 'boolean') return { schema: {}, wrong: [] };
  if (!isMap(given)) return { schema: {}, wrong: ['its schema is no object'] };
  const schema: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const keyword of keywords) {
    if (!Object.hasOwn(given, keyword)) continue;
    const value = given[keyword];
    // `required: true` in a property is of draft 3, and common: who asks for it is asked for it by name as well.
    if (keyword === 'required' && typeof value === 'boolean') continue;
    const [fits, expected] = checks[keyword];
    if (fits(value)) schema[keyword] = value;
    else wrong.push(`\`${keyword}\` is not ${expected}`);
  }
  return { schema, wrong };
}
