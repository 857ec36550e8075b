import type { JsonValue } from '../scenario/plan.js';
import { distinctItems } from './distinct-items.js';
import { isMap } from './is-map.js';
import type { JsonSchema } from './json-schema.js';
import { soundsLikeChange } from './probed-tool.js';
import { readSchema } from './read-schema.js';
import { followReference } from './follow-reference.js';
import { SampleBudget, SchemaTooLarge, type SharedEffort, sharedEffort } from './sample-budget.js';
import { sampleNumber } from './sample-number.js';
import { sampleText } from './sample-text.js';

/** Arguments made up from a schema. */
export interface SampledArguments {
  /** Nothing where there is an objection. */
  readonly values: Record<string, JsonValue>;
  /** Where the schema said more than could be kept to, or nothing that can be meant: `path: what`. */
  readonly doubts: readonly string[];
  /** Why none can be made up; null where they were. */
  readonly objection: string | null;
}

export interface SampleOptions {
  /** Makes scenario templates of texts, numbers and choices, and writes optional arguments with a default down. */
  readonly varied: boolean;
  /** What all tools of a server share; by itself a schema has it alone. */
  readonly effort?: SharedEffort | undefined;
}

const deepest = 8;
const longestChain = 50;
const mostDoubts = 10;
const longestDoubt = 200;
// More to choose from makes no better measurement, and a line that nobody reads.
const mostChoices = 100;

/**
 * Arguments that a tool's input schema accepts, as far as one can tell: all that is required, and nothing that changes more than
 * it must. The schema is a server's: whatever it is, this throws nothing, ends soon, and makes no more than a budget allows.
 */
export function sampleArguments(schema: unknown, options: SampleOptions): SampledArguments {
  const budget = new SampleBudget(options.effort ?? sharedEffort());
  const sampler = new Sampler(schema, options.varied, budget);
  try {
    const values = sampler.object(sampler.plain(schema, 'arguments'), '', 0);
    return { values, doubts: sampler.doubts, objection: null };
  } catch (error) {
    if (!(error instanceof SchemaTooLarge)) throw error;
    return { values: {}, doubts: sampler.doubts, objection: error.message };
  }
}

class Sampler {
  readonly doubts: string[] = [];

  constructor(
    private readonly root: unknown,
    private readonly varied: boolean,
    private readonly budget: SampleBudget,
  ) {}

  private value(given: unknown, path: string, depth: number): JsonValue {
    this.budget.value();
    const schema = this.plain(given, path);
    if (schema.const !== undefined) return this.literal(schema.const);
    if (schema.default !== undefined && schema.default !== null) return this.literal(schema.default);
    if (schema.enum !== undefined && schema.enum.length > 0) return this.choice(schema.enum, path);
    const example = schema.examples?.find((each) => each !== null);
    if (example !== undefined) return this.literal(example);
    const type = typeOf(schema);
    switch (type) {
      case 'integer':
      case 'number':
        return sampleNumber(schema, type === 'integer', nameOf(path), this.varied);
      case 'boolean':
        return false;
      case 'null':
        return null;
      case 'array':
        return this.list(schema, path, depth);
      case 'object':
        return this.object(schema, path, depth);
      default:
        return this.text(schema, path);
    }
  }

  object(schema: JsonSchema, path: string, depth: number): Record<string, JsonValue> {
    const values: Record<string, JsonValue> = {};
    if (depth > deepest) {
      this.doubt(path, 'nested too deeply, left empty');
      return values;
    }
    const properties = schema.properties ?? {};
    for (const name of this.wantedOf(schema, properties)) {
      // Assigned to, it would become the prototype, and no parser of YAML takes it.
      if (name === '__proto__') throw new SchemaTooLarge('it asks for an argument with the name __proto__');
      this.budget.text(name.length);
      values[name] = this.value(ownOf(properties, name), join(path, name), depth + 1);
    }
    return values;
  }

  private wantedOf(schema: JsonSchema, properties: Readonly<Record<string, unknown>>): Set<string> {
    const { required = [], dependentRequired = {}, minProperties = 0 } = schema;
    const names = Object.keys(properties);
    this.budget.step(names.length + required.length);
    const wanted = new Set(required);
    for (const name of wanted) {
      const also = ownOf(dependentRequired, name);
      if (!Array.isArray(also)) continue;
      this.budget.step(also.length);
      for (const each of also) if (typeof each === 'string') wanted.add(each);
    }
    for (const name of names) {
      const property = properties[name];
      const preset = isMap(property) ? property['default'] : undefined;
      if (this.varied && preset !== undefined && preset !== null) wanted.add(name);
    }
    for (const name of names) if (wanted.size < minProperties) wanted.add(name);
    return wanted;
  }

  /** The schema with references followed, alternatives decided and parts put together. */
  plain(given: unknown, path: string): JsonSchema {
    const schema = this.resolved(given, path, []);
    if (schema === null) {
      this.doubt(path, 'refers to itself');
      return {};
    }
    if (schema.not !== undefined || schema.if !== undefined)
      this.doubt(path, 'conditions (not, if) were left out of account');
    return schema;
  }

  // Null where it comes back to one of the schemas that led to it. The chain holds those that were referred to.
  private resolved(given: unknown, path: string, chain: readonly unknown[]): JsonSchema | null {
    this.budget.step();
    const { schema, wrong } = readSchema(given);
    for (const each of wrong) this.doubt(path, `${each}, and was left out of account`);
    const { $ref, anyOf, oneOf, allOf = [], ...rest } = schema;
    let whole: JsonSchema = rest;
    if (chain.length > longestChain) return null;
    if ($ref !== undefined) {
      const target = followReference(this.root, $ref);
      if (target === undefined) this.doubt(path, `${$ref} cannot be followed`);
      if (chain.includes(target)) return null;
      const part = target === undefined ? {} : this.resolved(target, path, [...chain, target]);
      if (part === null) return null;
      whole = this.merged(whole, part);
    }
    for (const each of allOf) {
      const part = this.resolved(each, path, [...chain, each]);
      if (part === null) return null;
      whole = this.merged(whole, part);
    }
    const choices = anyOf ?? oneOf;
    if (choices === undefined) return whole;
    const part = this.firstReal(choices, path, chain);
    return part === null ? null : this.merged(whole, part);
  }

  // The first choice that is more than null and does not lead back to where it stands.
  private firstReal(choices: readonly unknown[], path: string, chain: readonly unknown[]): JsonSchema | null {
    let ends = choices.length === 0;
    for (const choice of choices) {
      const schema = this.resolved(choice, path, [...chain, choice]);
      if (schema === null) continue;
      if (typeOf(schema) !== 'null') return schema;
      ends = true;
    }
    return ends ? {} : null;
  }

  private merged(a: JsonSchema, b: JsonSchema): JsonSchema {
    const properties = { ...b.properties, ...a.properties };
    const required = [...new Set([...(b.required ?? []), ...(a.required ?? [])])];
    const count = Object.keys(properties).length;
    this.budget.step(count + required.length);
    return {
      ...b,
      ...a,
      ...(count > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  private list(schema: JsonSchema, path: string, depth: number): JsonValue[] {
    const { items } = schema;
    const tuple: readonly unknown[] =
      schema.prefixItems ?? (Array.isArray(items) ? (items as unknown[]) : []);
    const every = Array.isArray(items) ? undefined : items;
    const usual = tuple.length > 0 || (every !== undefined && depth < deepest / 2) ? 1 : 0;
    const least = Math.max(Math.ceil(schema.minItems ?? 0), tuple.length, usual);
    const count = Math.min(least, Math.floor(schema.maxItems ?? Infinity));
    if (depth > deepest) {
      this.doubt(path, 'nested too deeply, left empty');
      return [];
    }
    if (schema.uniqueItems === true && count > 1 && tuple.length === 0)
      return this.differing(every, count, path, depth);
    const values: JsonValue[] = [];
    while (values.length < count) {
      const at = values.length;
      values.push(this.value(at < tuple.length ? tuple[at] : every, `${path}[${at}]`, depth + 1));
    }
    return values;
  }

  // Templates may happen to give the same twice, so these are fixed.
  private differing(every: unknown, count: number, path: string, depth: number): JsonValue[] {
    this.budget.value(count);
    const fixed = new Sampler(this.root, false, this.budget);
    const first = fixed.value(every, `${path}[0]`, depth + 1);
    const schema = fixed.plain(every, path);
    this.budget.step(schema.enum?.length ?? 0);
    const items = distinctItems(first, count, schema).map((item) => this.literal(item));
    for (const doubt of fixed.doubts) this.keep(doubt);
    if (new Set(items.map((item) => JSON.stringify(item))).size < count)
      this.doubt(path, 'its items should differ, and do not');
    return items;
  }

  private choice(choices: readonly JsonValue[], path: string): JsonValue {
    const few = choices.slice(0, mostChoices);
    const safe = few.filter((choice) => typeof choice !== 'string' || !soundsLikeChange(choice));
    if (safe.length === 0) this.doubt(path, 'every choice sounds as if it changed something');
    const [first = null] = safe.length > 0 ? safe : few;
    const template = this.varied && safe.length > 1 ? pickTemplate(safe) : null;
    if (template === null) return this.literal(first);
    this.budget.text(template.length);
    return template;
  }

  private text(schema: JsonSchema, path: string): JsonValue {
    const { text, doubt } = sampleText(schema, nameOf(path), this.varied, this.budget);
    if (doubt !== null) this.doubt(path, doubt);
    return text;
  }

  // A text from elsewhere is no template, whatever it looks like.
  private literal(value: JsonValue): JsonValue {
    this.budget.value();
    if (typeof value === 'string') {
      this.budget.text(value.length);
      return this.varied ? value.replaceAll('{{', '{{{{') : value;
    }
    // 1e999 is JSON, and no number that could be sent.
    if (typeof value === 'number') return Number.isFinite(value) ? value : 1;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.literal(item));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (key === '__proto__') throw new SchemaTooLarge('it asks for an argument with the name __proto__');
        this.budget.text(key.length);
        return [key, this.literal(item as JsonValue)];
      }),
    );
  }

  private doubt(path: string, what: string): void {
    this.keep(`${path}: ${what}`);
  }

  private keep(doubt: string): void {
    const text = doubt.length > longestDoubt ? `${doubt.slice(0, longestDoubt - 1)}…` : doubt;
    if (this.doubts.length < mostDoubts && !this.doubts.includes(text)) this.doubts.push(text);
  }
}

function ownOf(map: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function typeOf(schema: JsonSchema): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (type !== undefined) return type.find((each) => each !== 'null') ?? 'null';
  if (schema.properties !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined)
    return 'number';
  return 'string';
}

function pickTemplate(choices: readonly JsonValue[]): string | null {
  const texts = choices.every((choice) => typeof choice === 'string' && /^[^"{}]+$/.test(choice));
  if (texts) return `{{pick ${choices.map((choice) => `"${choice as string}"`).join(' ')}}}`;
  const whole = choices.every((choice) => Number.isSafeInteger(choice));
  return whole ? `{{pick ${choices.join(' ')}}}` : null;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function nameOf(path: string): string {
  return path.replace(/\[\d+\]/g, '').replace(/^.*\./, '');
}
