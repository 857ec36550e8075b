import { missingField, textOfBytes, wrongField } from './built-in-tools.js';
import { compute } from './compute.js';
import type { ToolConfig } from '../config/config.js';
import type { RpcError } from '../protocol/json-rpc.js';
import { ToolFailed } from './tool.js';
import type { InputSchema, Tool, ToolOutcome } from './tool.js';

/** A tool from the configuration: a new one, or a built-in one (`base`) with parts of it changed. */
export function configuredTool(name: string, settings: ToolConfig, base?: Tool): Tool {
  const outcome = outcomeOf(settings);
  const inputSchema = settings.arguments ? schemaOf(settings.arguments) : (base?.inputSchema ?? schemaOf({}));
  const answer: Tool['run'] =
    outcome === undefined && base
      ? base.run
      : (args: Record<string, unknown>): ToolOutcome => check(args, inputSchema) ?? outcome ?? '"ok"';
  const { work } = settings;
  const run: Tool['run'] = work
    ? (...call) => {
        compute(work);
        return answer(...call);
      }
    : answer;
  return {
    name,
    description: settings.description ?? base?.description ?? `The tool ${name} of the configuration.`,
    inputSchema,
    returnType: base?.returnType ?? 'Any',
    run,
    ...(base?.workNs ? { workNs: base.workNs } : {}),
  };
}

function outcomeOf(settings: ToolConfig): ToolOutcome | undefined {
  if (settings.fails !== undefined) return new ToolFailed(settings.fails);
  if (settings.resultBytes !== undefined) return `"${textOfBytes(settings.resultBytes)}"`;
  return settings.result === undefined ? undefined : JSON.stringify(settings.result);
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
  for (const name of schema.required) if (args[name] === undefined) return missingField(name);
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const value = args[name];
    if (value !== undefined && !isOfType(value, type)) return wrongField(name, `of type ${type}`);
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
