import { parseJsonPath } from './json-path.js';
import type { JsonValue } from './plan.js';
import type { Path, Problem } from './problem.js';
import { showFound } from './problem.js';
import type { Scenario } from './schema.js';
import type { DataSets } from './template-expression.js';
import { compileTemplate, isTextMessage, TemplateFailure } from './template.js';
import type { Template } from './template.js';

type Report = (problem: Problem) => void;
type Call = Scenario['calls'][number];

/** What reports call a call. */
export function callName(call: Call): string {
  return call.name ?? call.tool ?? call.method ?? '';
}

/** Reports what is wrong with the mix: contradictions, templates that do not exist, expectations that cannot be met. */
export function checkCalls(scenario: Scenario, data: DataSets, callTimeoutNs: number, report: Report): void {
  const seen = new Set<string>();
  for (const [index, call] of scenario.calls.entries()) {
    const path = ['calls', index];
    checkKind(call, path, report);
    checkLimits(call, callTimeoutNs, path, report);
    const where = call.tool === undefined ? 'params' : 'arguments';
    const values = (call[where] ?? {}) as JsonValue;
    const sound = compile(values, data, [...path, where], report) !== null;
    if (sound) checkExpectations(call, values, data, path, report);
    const name = callName(call);
    if (seen.has(name)) {
      report({
        path,
        message: `a second call named "${name}": give it a name of its own, such as name: ${name}-2`,
      });
    }
    seen.add(name);
  }
  const weights = scenario.calls.reduce((sum, { weight }) => sum + (weight ?? 1), 0);
  if (!Number.isFinite(weights)) {
    report({ path: ['calls'], message: 'expected weights whose sum is a number, found an infinite one' });
  }
}

function checkKind(call: Call, path: Path, report: Report): void {
  const { tool, method } = call;
  if (tool === undefined && method === undefined) {
    report({
      path,
      message: '"tool" is missing: expected tool, or method for another request than a tool call',
    });
  } else if (tool !== undefined && method !== undefined) {
    report({ path, key: 'method', message: 'expected either tool or method, found both' });
  } else if (tool !== undefined && call.params) {
    report({ path, key: 'params', message: 'a tool takes arguments: expected arguments, found params' });
  } else if (method !== undefined && call.arguments) {
    report({ path, key: 'arguments', message: 'a method takes params: expected params, found arguments' });
  } else if (method === 'tools/call') {
    report({
      path,
      key: 'method',
      message: 'expected tool: <name> for a tool call, found method: tools/call',
    });
  } else if (method === 'initialize' || method?.startsWith('notifications/')) {
    const why =
      method === 'initialize' ? 'every session does that by itself' : 'nothing answers a notification';
    report({ path, key: 'method', message: `${method} cannot be part of the mix: ${why}` });
  }
}

function checkLimits(
  { timeout, cancelAfter }: Call,
  callTimeoutNs: number,
  path: Path,
  report: Report,
): void {
  if (cancelAfter !== undefined && cancelAfter >= (timeout ?? callTimeoutNs)) {
    report({
      path: [...path, 'cancelAfter'],
      message: 'expected less than the time limit of the call, after which there is nothing left to cancel',
    });
  }
}

function checkExpectations(call: Call, values: JsonValue, data: DataSets, above: Path, report: Report): void {
  for (const [index, expectation] of (call.expect ?? []).entries()) {
    const path = [...above, 'expect', index];
    if (expectation === 'echo') {
      checkEcho(values, data, path, report);
      continue;
    }
    const { isError, path: jsonPath, equals, size } = expectation;
    if ([isError, jsonPath, equals, size].every((part) => part === undefined)) {
      report({ path, message: 'expected isError, path and equals, or size, found none of them' });
    }
    if ((jsonPath === undefined) !== (equals === undefined)) {
      const lone = jsonPath === undefined ? 'equals' : 'path';
      report({ path, key: lone, message: `expected path and equals together, found ${lone} alone` });
    }
    if (jsonPath !== undefined && parseJsonPath(jsonPath) === null) {
      report({
        path: [...path, 'path'],
        message: `expected a path such as content[0].text, found "${jsonPath}"`,
      });
    }
    if (size && (size.min ?? 0) > (size.max ?? Infinity)) {
      report({
        path: [...path, 'size'],
        message: `expected min not above max, found ${size.min} and ${size.max} bytes`,
      });
    }
    if (equals !== undefined) checkEquals(equals as JsonValue, data, [...path, 'equals'], report);
  }
}

function checkEcho(values: JsonValue, data: DataSets, path: Path, report: Report): void {
  if (isTextMessage(values, data)) return;
  const { message } = values as { message?: JsonValue };
  if (message === undefined) {
    const keys = Object.keys(values as object).join(', ') || 'none';
    report({
      path,
      message: `echo compares the answer with the argument "message": expected arguments: { message: … }, found ${keys}`,
    });
  } else {
    report({
      path,
      message: `echo needs a text to compare with: expected a message such as "call {{seq}}", found ${typeof message === 'string' ? `${message}, which is not text` : showFound(message)}`,
    });
  }
}

function checkEquals(equals: JsonValue, data: DataSets, path: Path, report: Report): void {
  if (compile(equals, data, path, report)?.varies === 'call') {
    report({
      path,
      message:
        'what a call was sent by chance or count is not kept: expected a constant, {{env NAME}} or {{data.column}}',
    });
  }
}

function compile(value: JsonValue, data: DataSets, path: Path, report: Report): Template | null {
  const odd = findNonJson(value, path);
  if (odd) {
    report(odd);
    return null;
  }
  try {
    return compileTemplate(value, data);
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    report({ path: [...path, ...error.path], text: error.expression, message: error.message });
    return null;
  }
}

function findNonJson(value: unknown, path: Path): Problem | null {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, message: `expected a value that JSON can hold, found ${value}` };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = findNonJson(member, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return null;
}
