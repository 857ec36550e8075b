import { textOfBytes } from './built-in-tools.js';
import { compute } from './compute.js';
import type { ToolConfig } from '../config/config.js';
import { inputRoundsOf, stepsOf } from './configured-script.js';
import { missingField, wrongField } from '../protocol/bad-params.js';
import type { RpcError } from '../protocol/json-rpc.js';
import { Template } from './template.js';
import { ToolFailed, ToolResult } from './tool.js';
import type { InputSchema, Tool, ToolOutcome } from './tool.js';
import type { ToolScript } from './tool-script.js';

/** A tool from the configuration: a new one, or a built-in one (`base`) with parts of it changed. */
export function configuredTool(name: string, settings: ToolConfig, base?: Tool): Tool {
  const outcome = outcomeOf(settings);
  const inputSchema = inputSchemaOf(settings) ?? base?.inputSchema ?? schemaOf({});
  const result = resultOf(settings);
  const answer: Tool['run'] =
    outcome === undefined && result === undefined && base
      ? base.run
      : (args: Record<string, unknown>): ToolOutcome =>
          check(args, inputSchema) ??
          (result && new ToolResult(result.render({ arguments: args }))) ??
          outcome ??
          '"ok"';
  const { work } = settings;
  const run: Tool['run'] = work
    ? (...call) => {
        compute(work);
        return answer(...call);
      }
    : answer;
  const script = scriptOf(settings, result);
  return {
    name,
    description: settings.description ?? base?.description ?? `The tool ${name} of the configuration.`,
    inputSchema,
    more: moreOf(settings),
    returnType: base?.returnType ?? 'Any',
    run,
    ...(base?.workNs ? { workNs: base.workNs } : {}),
    ...(script ? { script } : {}),
  };
}

function outcomeOf(settings: ToolConfig): ToolOutcome | undefined {
  if (settings.fails !== undefined) return new ToolFailed(settings.fails);
  if (settings.resultBytes !== undefined) return `"${textOfBytes(settings.resultBytes)}"`;
  return settings.result === undefined ? undefined : JSON.stringify(settings.result);
}

/** The whole result of a call, where the configuration gives its content. */
function resultOf({ content, structured, fails }: ToolConfig): Template | undefined {
  if (content === undefined && structured === undefined) return undefined;
  return new Template({
    content: content ?? [{ type: 'text', text: JSON.stringify(structured) }],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(fails === undefined ? {} : { isError: true }),
  });
}

function scriptOf(settings: ToolConfig, result: Template | undefined): ToolScript | undefined {
  const { steps, requires, input } = settings;
  if (steps === undefined && requires === undefined && input === undefined) return undefined;
  return { steps: stepsOf(steps), requires: requires ?? {}, input: inputRoundsOf(input), result };
}

function moreOf({ title, outputSchema, annotations }: ToolConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ title, outputSchema, annotations }).filter(([, value]) => value !== undefined),
  );
}

function inputSchemaOf(settings: ToolConfig): InputSchema | undefined {
  if (settings.inputSchema !== undefined) return settings.inputSchema as InputSchema;
  return settings.arguments && schemaOf(settings.arguments);
}

function schemaOf(types: Record<string, string>): InputSchema {
  const entries = Object.entries(types);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, type]) => [name, { type: type.replace('?', '') }])),
    required: entries.filter(([, type]) => !type.endsWith('?')).map(([name]) => name),
  };
}

function check(args: Record<string, unknown>, schema: InputSchema): RpcError | undefined {
  for (const name of schema.required ?? []) if (args[name] === undefined) return missingField(name);
  for (const [name, { type }] of Object.entries(schema.properties ?? {})) {
    const value = args[name];
    if (value !== undefined && typeof type === 'string' && !isOfType(value, type))
      return wrongField(name, `of type ${type}`);
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
