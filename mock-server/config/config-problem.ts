import { z } from 'zod';
import { configSchema } from './config.js';

/** One line about a mistake in a configuration: which setting, what it is, what was expected. */
export function configProblem(issue: z.core.$ZodIssue, whole: unknown): string {
  const name = issue.path.join('.');
  const prefix = name === '' ? '' : `${name}: `;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(configSchema, issue.path);
    return `${prefix}unknown key '${issue.keys[0]!}'; expected one of ${known.join(', ')}`;
  }
  if (issue.code === 'invalid_value')
    return `${prefix}${quote(valueAt(whole, issue.path))} is not understood; expected one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type')
    return `${prefix}expected ${issue.expected}, got ${quote(valueAt(whole, issue.path))}`;
  return prefix + issue.message;
}

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  let value = whole;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const whole = unwrap(schema);
  if (path.length === 0) return whole instanceof z.ZodObject ? Object.keys(whole.shape) : [];
  if (whole instanceof z.ZodRecord) return keysAt(whole.valueType, path.slice(1));
  return whole instanceof z.ZodObject ? keysAt(whole.shape[String(path[0])], path.slice(1)) : [];
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrap(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrap(schema.out) : schema;
}
