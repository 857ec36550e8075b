import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDurationNs, parseShare } from '../config/units.js';

/** A distribution of delays: `sampleNs` turns one uniform number of [0, 1) into a delay, monotonically. */
export interface Latency {
  readonly text: string;
  sampleNs(uniform: number): number;
}

/** What a latency expression may look like, for error messages and the help. */
export const latencyForms =
  '5ms, uniform(1ms,5ms), normal(20ms,3ms), lognormal(20ms,0.5), exponential(10ms), bimodal(5ms,100ms,10%) or file(delays.txt)';

/** Reads a latency expression; throws a plain Error that says what was expected. `folder` is where file(…) starts from. */
export function parseLatency(text: string, folder = process.cwd()): Latency {
  const constantNs = parseDurationNs(text);
  if (constantNs !== undefined) return { text, sampleNs: () => constantNs };
  const found = /^\s*([a-z]+)\s*\(([^()]*)\)\s*$/.exec(text);
  const parts = found ? found[2]!.split(',').map((part) => part.trim()) : [];
  const sampleNs = found ? distribution(found[1]!, parts, folder) : undefined;
  if (!sampleNs) throw new Error(`'${text}' is not understood; expected ${latencyForms}`);
  return { text, sampleNs };
}

function distribution(name: string, parts: string[], folder: string): Latency['sampleNs'] | undefined {
  const first = parseDurationNs(parts[0] ?? '');
  const second = parseDurationNs(parts[1] ?? '');
  if (name === 'constant' && parts.length === 1 && first !== undefined) return () => first;
  if (
    name === 'uniform' &&
    parts.length === 2 &&
    first !== undefined &&
    second !== undefined &&
    first <= second
  )
    return (u) => Math.round(first + (second - first) * u);
  if (name === 'normal' && parts.length === 2 && first !== undefined && second !== undefined)
    return (u) => Math.max(0, Math.round(first + second * inverseNormal(u)));
  if (name === 'lognormal' && parts.length === 2 && first !== undefined) {
    const sigma = Number(parts[1]);
    return sigma >= 0 ? (u) => Math.round(first * Math.exp(sigma * inverseNormal(u))) : undefined;
  }
  if (name === 'exponential' && parts.length === 1 && first !== undefined)
    return (u) => Math.round(-first * Math.log1p(-u));
  if (name === 'bimodal' && parts.length === 3 && first !== undefined && second !== undefined) {
    const share = parseShare(parts[2]!);
    return share === undefined ? undefined : (u) => (u < 1 - share ? first : second);
  }
  if (name === 'file' && parts.length === 1 && parts[0]) return fromFile(resolve(folder, parts[0]));
  return undefined;
}

function fromFile(path: string): Latency['sampleNs'] {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    throw new Error(`latency file ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const delaysNs: number[] = [];
  lines.forEach((line, index) => {
    const text = line.replace(/#.*/, '').trim();
    if (text === '') return;
    const ns = parseDurationNs(text);
    if (ns === undefined)
      throw new Error(`${path}:${index + 1}: '${text}' is no duration; expected one per line, such as 5ms`);
    delaysNs.push(ns);
  });
  if (delaysNs.length === 0)
    throw new Error(`latency file ${path} holds no durations; expected one per line`);
  delaysNs.sort((a, b) => a - b);
  return (u) => delaysNs[Math.floor(u * delaysNs.length)]!;
}

/** The standard normal quantile (Acklam's rational approximation, relative error below 1.2e-9). */
function inverseNormal(uniform: number): number {
  const p = Math.min(Math.max(uniform, 1e-10), 1 - 1e-10);
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  const above =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239;
  const below =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return (q * above) / below;
}

function tail(q: number): number {
  const above =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
      q +
      4.374664141464968) *
      q +
    2.938163982698783;
  const below =
    (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q +
    1;
  return above / below;
}
