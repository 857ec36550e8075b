import { isDeepStrictEqual } from 'node:util';
import { parseJsonPath, valueAt } from './json-path.js';
import type { ExpectPlan, JsonValue } from './plan.js';
import { Random } from './random.js';
import type { DataSets } from './template-expression.js';
import { compileTemplate } from './template.js';
import { cut } from '../text/cut.js';

/**
 * Null if the response is as expected, else a short reason. `echo` is the JSON text that `render` left behind for this
 * call, `dataBytes` the size of the response event's data, `row` the row that this call was rendered with.
 */
export type Expectation = (result: unknown, echo: string, dataBytes: number, row?: number) => string | null;

/** One check out of all that a call expects of its result; null where it expects nothing. */
export function compileExpectation(plan: readonly ExpectPlan[], data: DataSets = {}): Expectation | null {
  const checks = plan.map((expect) => compileOne(expect, data));
  if (checks.length <= 1) return checks[0] ?? null;
  return (result, echo, dataBytes, row) => {
    for (const check of checks) {
      const reason = check(result, echo, dataBytes, row);
      if (reason !== null) return reason;
    }
    return null;
  };
}

function compileOne(expect: ExpectPlan, data: DataSets): Expectation {
  switch (expect.kind) {
    case 'echo':
      return echoes;
    case 'isError':
      return (result) => {
        const found = valueAt(result, ['isError']) === true;
        return found === expect.value ? null : `expected isError to be ${expect.value}, found ${found}`;
      };
    case 'equals': {
      const keys = parseJsonPath(expect.path);
      if (keys === null) throw new Error(`not a JSON path: ${expect.path}`);
      const wantedAt = byRow(expect.value, data);
      return (result, _echo, _dataBytes, row) => {
        const found = valueAt(result, keys);
        const wanted = wantedAt(row);
        if (isDeepStrictEqual(found, wanted)) return null;
        return `expected ${expect.path} to be ${show(wanted)}, found ${show(found)}`;
      };
    }
    case 'size':
      return (_result, _echo, dataBytes) => {
        if (dataBytes < expect.minBytes)
          return `expected at least ${expect.minBytes} bytes, found ${dataBytes}`;
        if (dataBytes > expect.maxBytes)
          return `expected at most ${expect.maxBytes} bytes, found ${dataBytes}`;
        return null;
      };
  }
}

// What random or counting templates gave the call is not kept, so only a row of the data can make a difference here.
function byRow(value: JsonValue, data: DataSets): (row: number | undefined) => unknown {
  const template = compileTemplate(value, data);
  const context = { seq: 0, session: 0, seed: 1, random: new Random(0), row: 0, echo: '' };
  if (template.varies === 'never') {
    const constant: unknown = JSON.parse(template.render(context));
    return () => constant;
  }
  return (row) => {
    if (row === undefined) throw new Error('the row of this call is needed to know what to expect');
    context.row = row;
    return JSON.parse(template.render(context));
  };
}

function echoes(result: unknown, echo: string): string | null {
  const text = textOf(result);
  if (text !== null && isSameText(text, echo)) return null;
  return `expected the echo of ${cut(echo, 80)}, found ${text === null ? `no text in ${show(result)}` : show(text)}`;
}

// Without a backslash the JSON text is the text in quotes, which saves parsing it for nearly every call.
function isSameText(text: string, json: string): boolean {
  if (json.includes('\\')) return JSON.parse(json) === text;
  return text.length === json.length - 2 && json.startsWith(text, 1);
}

/** Where an echo stands: the first content; where results are bare (pymcp), the result itself, or its `message`. */
function textOf(result: unknown): string | null {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null) return null;
  const { content, message } = result as { content?: unknown; message?: unknown };
  const text = Array.isArray(content) ? (content[0] as { text?: unknown } | null)?.text : message;
  return typeof text === 'string' ? text : null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(value), 80);
}
