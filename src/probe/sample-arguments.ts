import type { JsonValue } from '../scenario/plan.js';
import { distinctItem } from './distinct-item.js';
import type { JsonSchema } from './json-schema.js';
import { soundsLikeChange } from './probed-tool.js';
import { sampleNumber } from './sample-number.js';
import { sampleText } from './sample-text.js';

/** Arguments made up from a schema. */
export interface SampledArguments {
  readonly values: Record<string, JsonValue>;
  /** Where the schema said more than could be kept to: `path: what`. */
  readonly doubts: readonly string[];
}

const deepest = 8;

/**
 * Arguments that a tool's input schema accepts, as far as one can tell: all that is required, and nothing that changes more than
 * it must. `varied` makes scenario templates of texts, numbers and choices, and writes optional arguments with a default down.
 */
export function sampleArguments(schema: JsonSchema, options: { varied: boolean }): SampledArguments {
  const sampler = new Sampler(schema, options.varied);
  const value = sampler.object(sampler.plain(schema, 'arguments'), '', 0);
  return { values: value, doubts: sampler.doubts };
}

class Sampler {
  readonly doubts: string[] = [];

  constructor(
    private readonly root: JsonSchema,
    private readonly varied: boolean,
  ) {}

  value(given: JsonSchema | boolean | undefined, path: string, depth: number): JsonValue {
    if (typeof given !== 'object' || given === null) return this.text({}, path);
    const schema = this.plain(given, path);
    if (schema.const !== undefined) return this.literal(schema.const);
    if (schema.default !== undefined && schema.default !== null) return this.literal(schema.default);
    if (schema.enum !== undefined && schema.enum.length > 0) return this.choice(schema.enum, path);
    const example = schema.examples?.find((each) => each !== null);
    if (example !== undefined) return this.literal(example);
    switch (typeOf(schema)) {
      case 'integer':
      case 'number':
        return sampleNumber(schema, typeOf(schema) === 'integer', nameOf(path), this.varied);
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
      this.doubts.push(`${path}: nested too deeply, left empty`);
      return values;
    }
    const properties = schema.properties ?? {};
    const wanted = new Set(Array.isArray(schema.required) ? schema.required : []);
    for (const name of wanted) for (const also of schema.dependentRequired?.[name] ?? []) wanted.add(also);
    for (const [name, property] of Object.entries(properties)) {
      const preset = (property as JsonSchema | null)?.default;
      if (this.varied && preset !== undefined && preset !== null) wanted.add(name);
    }
    for (const name of Object.keys(properties))
      if (wanted.size < (schema.minProperties ?? 0)) wanted.add(name);
    for (const name of wanted) values[name] = this.value(properties[name], join(path, name), depth + 1);
    return values;
  }

  /** The schema with references followed, alternatives decided and parts put together. */
  plain(given: JsonSchema, path: string): JsonSchema {
    let schema = given;
    for (let step = 0; step < deepest; step++) {
      const { $ref, anyOf, oneOf, allOf, ...rest } = schema;
      const choices = anyOf ?? oneOf;
      if ($ref !== undefined) schema = merge(rest, this.resolve($ref, path));
      else if (allOf !== undefined)
        schema = allOf.reduce((whole, part) => merge(whole, this.plain(part, path)), { ...rest });
      else if (choices !== undefined) schema = merge(rest, this.firstReal(choices, path));
      else {
        if (schema.not !== undefined || schema.if !== undefined)
          this.doubts.push(`${path}: conditions (not, if) were left out of account`);
        return schema;
      }
    }
    this.doubts.push(`${path}: refers to itself`);
    return {};
  }

  private firstReal(choices: readonly JsonSchema[], path: string): JsonSchema {
    const real = choices
      .map((choice) => this.plain(choice, path))
      .find((choice) => typeOf(choice) !== 'null');
    return real ?? {};
  }

  private resolve(reference: string, path: string): JsonSchema {
    let found: unknown = this.root;
    if (reference.startsWith('#'))
      for (const step of reference.slice(1).split('/').slice(1)) {
        const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
        found = (found as Record<string, unknown> | undefined)?.[key];
      }
    if (reference.startsWith('#') && typeof found === 'object' && found !== null) return found as JsonSchema;
    this.doubts.push(`${path}: ${reference} cannot be followed`);
    return {};
  }

  private list(schema: JsonSchema, path: string, depth: number): JsonValue[] {
    const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? (schema.items as JsonSchema[]) : []);
    const every = Array.isArray(schema.items)
      ? undefined
      : (schema.items as JsonSchema | boolean | undefined);
    const most = schema.maxItems ?? Infinity;
    const usual = tuple.length > 0 || (every !== undefined && depth < deepest / 2) ? 1 : 0;
    const count = Math.min(Math.max(schema.minItems ?? 0, tuple.length, usual), most, 1000);
    if (schema.uniqueItems === true && count > 1 && tuple.length === 0)
      return this.differing(typeof every === 'object' ? every : {}, count, path, depth);
    return Array.from({ length: count }, (_, at) =>
      this.value(tuple[at] ?? every, `${path}[${at}]`, depth + 1),
    );
  }

  // Templates may happen to give the same twice, so these are fixed.
  private differing(every: JsonSchema, count: number, path: string, depth: number): JsonValue[] {
    const fixed = new Sampler(this.root, false);
    const first = fixed.value(every, `${path}[0]`, depth + 1);
    const schema = fixed.plain(every, path);
    const items = Array.from({ length: count }, (_, at) => distinctItem(first, at, schema));
    this.doubts.push(...fixed.doubts);
    if (new Set(items.map((item) => JSON.stringify(item))).size < count)
      this.doubts.push(`${path}: its items should differ, and do not`);
    return items.map((item) => this.literal(item));
  }

  private choice(choices: readonly JsonValue[], path: string): JsonValue {
    const safe = choices.filter((choice) => typeof choice !== 'string' || !soundsLikeChange(choice));
    if (safe.length === 0) this.doubts.push(`${path}: every choice sounds as if it changed something`);
    const [first = null] = safe.length > 0 ? safe : choices;
    if (!this.varied || safe.length < 2) return this.literal(first);
    return pickTemplate(safe) ?? this.literal(first);
  }

  private text(schema: JsonSchema, path: string): JsonValue {
    const { text, doubt } = sampleText(schema, nameOf(path), this.varied);
    if (doubt !== null) this.doubts.push(`${path}: ${doubt}`);
    return text;
  }

  // A text from elsewhere is no template, whatever it looks like.
  private literal(value: JsonValue): JsonValue {
    if (!this.varied) return value;
    if (typeof value === 'string') return value.replaceAll('{{', '{{{{');
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.literal(item));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.literal(item as JsonValue)]),
    );
  }
}

function typeOf(schema: JsonSchema): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return (type as string[]).find((each) => each !== 'null') ?? 'null';
  if (schema.properties !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined)
    return 'number';
  return 'string';
}

function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...b.properties, ...a.properties };
  const required = [...new Set([...(b.required ?? []), ...(a.required ?? [])])];
  return {
    ...b,
    ...a,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function pickTemplate(choices: readonly JsonValue[]): string | null {
  const texts = choices.every((choice) => typeof choice === 'string' && /^[^"{}]+$/.test(choice));
  if (texts) return `{{pick ${choices.map((choice) => `"${choice as string}"`).join(' ')}}}`;
  const whole = choices.every((choice) => typeof choice === 'number' && Number.isInteger(choice));
  return whole ? `{{pick ${choices.join(' ')}}}` : null;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function nameOf(path: string): string {
  return path.replace(/\[\d+\]/g, '').replace(/^.*\./, '');
}
