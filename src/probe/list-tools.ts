import { type Exchange, type ProbeClient, rpcFailure } from './exchange.js';
import type { JsonSchema } from './json-schema.js';
import { type ProbedTool, riskOf, type ToolAnnotations } from './probed-tool.js';
import { pythonTypeSchema } from './python-type-schema.js';

/** The tools of a server, and how it was asked for them. */
export interface ToolList {
  readonly tools: readonly ProbedTool[];
  readonly from: ToolListSource | null;
  /** Why `tools/list` did not give them. */
  readonly problem: string | null;
}

type ToolListSource =
  | 'tools/list'
  | 'listTools'
  | 'describe_tools'
  | 'tools/call describe_tools'
  | 'initialize';

const mostPages = 100;

/** Asks for the tools: by `tools/list`, page by page; else as pymcp and the oldest servers want to be asked. */
export async function listTools(client: ProbeClient, initializeResult: unknown): Promise<ToolList> {
  const modern = await readPages(client, 'tools/list');
  if (modern.tools !== null) return { tools: modern.tools, from: 'tools/list', problem: modern.problem };
  const { problem } = modern;
  const described = await client.request('describe_tools', {});
  const byMethod = describedTools(described);
  if (byMethod !== null) return { tools: byMethod, from: 'describe_tools', problem };
  const params = { name: 'describe_tools', [client.argumentsKey]: {} };
  const byCall = describedTools(await client.request('tools/call', params));
  if (byCall !== null) return { tools: byCall, from: 'tools/call describe_tools', problem };
  const legacy = await readPages(client, 'listTools');
  if (legacy.tools !== null) return { tools: legacy.tools, from: 'listTools', problem };
  const named = toolNames(initializeResult);
  return { tools: named, from: named.length > 0 ? 'initialize' : null, problem };
}

async function readPages(
  client: ProbeClient,
  method: string,
): Promise<{ tools: ProbedTool[] | null; problem: string | null }> {
  const tools: ProbedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const exchange = await client.request(method, cursor === undefined ? {} : { cursor });
    const problem = rpcFailure(exchange);
    const { tools: listed, nextCursor } = (exchange.response?.['result'] ?? {}) as Record<string, unknown>;
    if (!Array.isArray(listed)) {
      const why = problem ?? 'the result has no list of tools';
      return { tools: page === 0 ? null : tools, problem: page === 0 ? why : `page ${page + 1}: ${why}` };
    }
    tools.push(...listed.flatMap(readTool));
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return { tools, problem: null };
    cursor = nextCursor;
  }
  return { tools, problem: `more than ${mostPages} pages` };
}

function readTool(listed: unknown): ProbedTool[] {
  const { name, description, inputSchema, annotations } = (listed ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string') return [];
  const marks = isMap(annotations) ? (annotations as ToolAnnotations) : null;
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema: isMap(inputSchema) ? (inputSchema as JsonSchema) : {},
      annotations: marks,
      risk: riskOf(name, marks),
    },
  ];
}

function describedTools(exchange: Exchange): ProbedTool[] | null {
  if (rpcFailure(exchange) !== null) return null;
  const { result } = exchange.response as { result?: unknown };
  if (!isMap(result)) return null;
  const entries = Object.entries(result).filter(([, tool]) => isMap(tool) && 'parameters' in tool);
  if (entries.length === 0) return null;
  return entries.map(([name, tool]) => {
    const { description, parameters } = tool as { description?: unknown; parameters?: unknown };
    return {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema: parametersSchema(isMap(parameters) ? parameters : {}),
      annotations: null,
      risk: riskOf(name, null),
    };
  });
}

function parametersSchema(parameters: Record<string, unknown>): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, given] of Object.entries(parameters)) {
    // The server puts it in by itself, over whatever was sent.
    if (name === 'server_session_id') continue;
    const parameter = (given ?? {}) as { type?: unknown; required?: unknown; default?: unknown };
    const schema = pythonTypeSchema(typeof parameter.type === 'string' ? parameter.type : 'Any');
    const preset = parameter.default as JsonSchema['default'];
    properties[name] = preset === null || preset === undefined ? schema : { ...schema, default: preset };
    if (parameter.required === true) required.push(name);
  }
  return { type: 'object', properties, required };
}

function toolNames(initializeResult: unknown): ProbedTool[] {
  const { capabilities } = (initializeResult ?? {}) as { capabilities?: { tools?: unknown } };
  const names = Array.isArray(capabilities?.tools) ? (capabilities.tools as unknown[]) : [];
  return names
    .filter((name) => typeof name === 'string')
    .map((name) => ({ name, description: '', inputSchema: {}, annotations: null, risk: riskOf(name, null) }));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
