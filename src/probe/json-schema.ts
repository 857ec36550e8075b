import type { JsonValue } from '../scenario/plan.js';

/**
 * One level of a JSON Schema, as much of it as arguments can be made from: each keyword is what it should be, or missing.
 * What lies below it is a server's word still, and goes through `readSchema` when it is come to.
 */
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
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly prefixItems?: readonly unknown[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly allOf?: readonly unknown[];
  readonly not?: unknown;
  readonly if?: unknown;
}
