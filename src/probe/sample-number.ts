import type { JsonSchema } from './json-schema.js';

// What is asked for by these names is cheap and harmless where it is small, and sensible.
const usual: Readonly<Record<string, number>> = {
  latitude: 52.5,
  lat: 52.5,
  longitude: 13.4,
  lon: 13.4,
  lng: 13.4,
  year: 2024,
  limit: 5,
  top_k: 5,
  port: 80,
};

/** A small number that a schema accepts; where it names both bounds and may vary, a template for one near the lower. */
export function sampleNumber(
  schema: JsonSchema,
  whole: boolean,
  name: string,
  varied: boolean,
): number | string {
  const step = schema.multipleOf ?? (whole ? 1 : 0);
  const low = lowest(schema, step, whole);
  const high = highest(schema, step, whole);
  const varies = varied && whole && step === 1 && high > low && high < Infinity;
  const near = Math.min(high, low + 19);
  if (varies && Number.isSafeInteger(low) && Number.isSafeInteger(near)) return `{{int ${low} ${near}}}`;
  const wanted = Object.hasOwn(usual, name.toLowerCase()) ? usual[name.toLowerCase()]! : 1;
  const within = Math.min(Math.max(whole ? Math.round(wanted) : wanted, low), high);
  if (step === 0) return within;
  // The nearest multiple that is not too small, else the one below.
  const up = Math.ceil(within / step) * step;
  const multiple = up <= high ? up : Math.floor(within / step) * step;
  return Number.isFinite(multiple) ? multiple : within;
}

function lowest(schema: JsonSchema, step: number, whole: boolean): number {
  const { minimum, exclusiveMinimum } = schema;
  const excluded = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const beyond = typeof excluded === 'number' ? finite(excluded + gap(step, excluded)) : -Infinity;
  const low = Math.max(minimum ?? -Infinity, beyond);
  return whole && Number.isFinite(low) ? Math.ceil(low) : low;
}

function highest(schema: JsonSchema, step: number, whole: boolean): number {
  const { maximum, exclusiveMaximum } = schema;
  const excluded = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  const beyond = typeof excluded === 'number' ? finite(excluded - gap(step, excluded)) : Infinity;
  const high = Math.min(maximum ?? Infinity, beyond);
  return whole && Number.isFinite(high) ? Math.floor(high) : high;
}

// How far from a bound that is itself excluded the next value may lie.
function gap(step: number, bound: number): number {
  return step > 0 ? step : Math.max(1e-6, Math.abs(bound) * 1e-6);
}

// Beyond the largest number there is no next one.
function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}
