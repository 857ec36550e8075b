import { nowNs } from '../clock.js';
import { type Exchange, type ProbeClient, rpcFailure } from './exchange.js';
import { isMap } from './is-map.js';
import type { JsonSchema } from './json-schema.js';
import type { ProbedTool } from './probed-tool.js';
import { pythonTypeSchema } from './python-type-schema.js';
import { type LeftOutTool, ToolIntake } from './tool-intake.js';

/** The tools of a server, and how it was asked for them. */
export interface ToolList {
  readonly tools: readonly ProbedTool[];
  /** Those that cannot be looked at, and why. */
  readonly leftOut: readonly LeftOutTool[];
  readonly from: ToolListSource | null;
  /** Why `tools/list` did not give them, or not all of them. */
  readonly problem: string | null;
}

type ToolListSource =
  | 'tools/list'
  | 'listTools'
  | 'describe_tools'
  | 'tools/call describe_tools'
  | 'initialize';

const mostPages = 100;
const mostCharacters = 32 * 1024 * 1024;
const longestCursor = 8192;
const defaultListingMs = 60_000;

/** Asks for the tools: by `tools/list`, page by page; else as pymcp and the oldest servers want to be asked. */
export async function listTools(
  client: ProbeClient,
  initializeResult: unknown,
  listingMs = defaultListingMs,
): Promise<ToolList> {
  const modern = await readPages(client, 'tools/list', listingMs);
  const { problem } = modern;
  if (modern.intake !== null) return listOf(modern, 'tools/list');
  const described = await client.request('describe_tools', {});
  const byMethod = describedTools(described);
  if (byMethod !== null) return listOf(takenIn(byMethod, problem), 'describe_tools');
  const params = { name: 'describe_tools', [client.argumentsKey]: {} };
  const byCall = describedTools(await client.request('tools/call', params));
  if (byCall !== null) return listOf(takenIn(byCall, problem), 'tools/call describe_tools');
  const legacy = await readPages(client, 'listTools', listingMs);
  if (legacy.intake !== null) return listOf({ ...legacy, problem: legacy.problem ?? problem }, 'listTools');
  const names = toolNames(initializeResult);
  return listOf(takenIn(names, problem), names.length > 0 ? 'initialize' : null);
}

function listOf({ intake, problem }: Pages, from: ToolListSource | null): ToolList {
  return { tools: intake?.tools ?? [], leftOut: intake?.leftOut ?? [], from, problem };
}

// A list that comes all at once, where `tools/list` gave none.
function takenIn(listed: readonly unknown[], problem: string | null): Pages {
  const intake = new ToolIntake();
  return { intake, problem: intake.addAll(listed) ? problem : intake.full };
}

/** What has been read so far, and why no more was; `intake` is null where there was no list at all. */
interface Pages {
  readonly intake: ToolIntake | null;
  readonly problem: string | null;
}

async function readPages(client: ProbeClient, method: string, listingMs: number): Promise<Pages> {
  const intake = new ToolIntake();
  const cursors = new Set<string>();
  const deadlineNs = nowNs() + listingMs * 1e6;
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const exchange = await client.request(method, cursor === undefined ? {} : { cursor });
    const problem = rpcFailure(exchange);
    const { tools: listed, nextCursor } = (exchange.response?.['result'] ?? {}) as Record<string, unknown>;
    if (!Array.isArray(listed)) {
      const why = problem ?? 'the result has no list of tools';
      return page === 1 ? { intake: null, problem: why } : { intake, problem: `page ${page}: ${why}` };
    }
    if (!intake.addAll(listed)) return { intake, problem: intake.full };
    if (typeof nextCursor !== 'string') return { intake, problem: null };
    characters += exchange.characters;
    const why = whyNoMore(page, nextCursor, cursors, characters, intake);
    if (why !== null) return { intake, problem: why };
    if (nowNs() >= deadlineNs)
      return { intake, problem: `the list did not end within ${listingMs / 1000} s (${page} pages)` };
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

function whyNoMore(
  page: number,
  nextCursor: string,
  cursors: ReadonlySet<string>,
  characters: number,
  { full }: ToolIntake,
): string | null {
  if (full !== null) return full;
  if (page >= mostPages) return `the list has more than ${mostPages} pages`;
  if (cursors.has(nextCursor)) return `page ${page} has the cursor of a page before it: the list has no end`;
  if (nextCursor.length > longestCursor)
    return `the cursor of page ${page} has ${nextCursor.length.toLocaleString('en-US')} characters`;
  if (characters > mostCharacters)
    return `the list has more than ${mostCharacters / 1024 / 1024} MiB (${page} pages)`;
  return null;
}

function describedTools(exchange: Exchange): object[] | null {
  if (rpcFailure(exchange) !== null) return null;
  const { result } = exchange.response as { result?: unknown };
  if (!isMap(result)) return null;
  const entries = Object.entries(result).filter(([, tool]) => isMap(tool) && 'parameters' in tool);
  if (entries.length === 0) return null;
  return entries.map(([name, tool]) => {
    const { description, parameters } = tool as { description?: unknown; parameters?: unknown };
    return { name, description, inputSchema: parametersSchema(isMap(parameters) ? parameters : {}) };
  });
}

function parametersSchema(parameters: Record<string, unknown>): JsonSchema {
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const [name, given] of Object.entries(parameters)) {
    // The server puts it in by itself, over whatever was sent.
    if (name === 'server_session_id') continue;
    const parameter = isMap(given) ? given : {};
    const schema = pythonTypeSchema(typeof parameter['type'] === 'string' ? parameter['type'] : 'Any');
    const preset = parameter['default'] as JsonSchema['default'];
    properties.push([
      name,
      preset === null || preset === undefined ? schema : { ...schema, default: preset },
    ]);
    if (parameter['required'] === true) required.push(name);
  }
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function toolNames(initializeResult: unknown): { name: string }[] {
  const { capabilities } = (initializeResult ?? {}) as { capabilities?: { tools?: unknown } | null };
  const names = Array.isArray(capabilities?.tools) ? (capabilities.tools as unknown[]) : [];
  return names.filter((name) => typeof name === 'string').map((name) => ({ name }));
}
