import { exchangeOf } from '../content/exchange.js';
import { FillIn } from '../content/fill-in.js';
import { missingField, textOfBytes, wrongField } from './built-in-tools.js';
import { compute } from './compute.js';
import type { ToolConfig } from '../config/config.js';
import type { RpcError } from '../protocol/json-rpc.js';
import { ToolContent, ToolFailed } from './tool.js';
import type { InputSchema, Tool, ToolOutcome } from './tool.js';

/** A tool from the configuration: a new one, or a built-in one (`base`) with parts of it changed. */
export function configuredTool(name: string, settings: ToolConfig, base?: Tool): Tool {
  const outcome = outcomeOf(settings);
  const inputSchema = inputSchemaOf(settings) ?? base?.inputSchema ?? schemaOf({});
  // A schema of any form is for the client to keep to.
  const checkArguments = settings.inputSchema ? () => undefined : check;
  const answer: Tool['run'] =
    outcome === undefined && base
      ? base.run
      : (args, _session, _ordinal, inputs) =>
          checkArguments(args, inputSchema) ?? outcome?.({ arguments: args, inputs }) ?? '"ok"';
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
    exchange: exchangeOf(settings),
    ...(base?.workNs ? { workNs: base.workNs } : {}),
  };
}

type OutcomeMaker = (values: Record<string, unknown>) => ToolOutcome;

function outcomeOf({ fails, resultBytes, content, result }: ToolConfig): OutcomeMaker | undefined {
  if (content !== undefined) {
    const blocks = new FillIn(content);
    return (values) => new ToolContent(blocks.json(values));
  }
  const outcome = fails !== undefined ? new ToolFailed(fails) : valueOf(resultBytes, result);
  return outcome === undefined ? undefined : () => outcome;
}

function valueOf(resultBytes: number | undefined, result: unknown): string | undefined {
  if (resultBytes !== undefined) return `"${textOfBytes(resultBytes)}"`;
  return result === undefined ? undefined : JSON.stringify(result);
}

function inputSchemaOf(settings: ToolConfig): InputSchema | undefined {
  if (settings.inputSchema)
    return { type: 'object', properties: {}, required: [], ...settings.inputSchema } as InputSchema;
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
  for (const name of schema.required) if (args[name] === undefined) return missingField(name);
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const value = args[name];
    if (value !== undefined && !isOfType(value, type!)) return wrongField(name, `of type ${type}`);
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
