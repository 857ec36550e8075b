import type { JsonValue } from '../scenario/plan.js';

/** As much of a JSON Schema as arguments can be made from; anything may be missing, and anything may be wrong. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly examples?: readonly JsonValue[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A number, or true in draft 4. */
  readonly exclusiveMinimum?: number | boolean;
  readonly exclusiveMaximum?: number | boolean;
  readonly multipleOf?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | readonly JsonSchema[] | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: unknown;
  readonly if?: unknown;
}
