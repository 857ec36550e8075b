import { Behaviour } from '../calls/behaviour.js';
import { builtInTools } from './built-in-tools.js';
import { mergeFaults } from '../config/faults.js';
import type { MockConfig } from '../config/config.js';
import { configuredTool } from './configured-tool.js';
import { parseLatency } from '../calls/latency.js';
import type { Stats } from '../stats.js';
import type { Tool } from './tool.js';

/** A tool with what is done to its calls and how many there were. */
export interface ServedTool {
  readonly tool: Tool;
  readonly behaviour: Behaviour;
  readonly counter: { count: number };
  /** Answered at once and as it is. */
  readonly plain: boolean;
}

/** The tools of one server, built-in and configured, by name. */
export class ToolBox {
  readonly byName = new Map<string, ServedTool>();
  readonly names: string[];
  private readonly pages: string[];

  constructor(config: MockConfig, stats: Stats) {
    const tools = new Map(builtInTools(config.seed).map((tool) => [tool.name, tool]));
    for (const [name, settings] of Object.entries(config.tools))
      tools.set(name, configuredTool(name, settings, tools.get(name)));
    for (const [name, tool] of tools) this.byName.set(name, serve(tool, config, stats.toolCounter(name)));
    this.names = [...tools.keys()];
    this.pages = pagesOf([...tools.values()], config.toolsPerPage);
  }

  /** The result of `tools/list` for a cursor, or undefined for a cursor that was never given out. */
  page(cursor: unknown): string | undefined {
    if (cursor === undefined) return this.pages[0];
    if (typeof cursor !== 'string' || !/^page-[1-9]\d*$/.test(cursor)) return undefined;
    return this.pages[Number(cursor.slice('page-'.length)) - 1];
  }

  /** The result of `describe_tools`: what pymcp calls the parameters of each tool. */
  describe(): string {
    const described = [...this.byName.values()].map(({ tool }) => [
      tool.name,
      {
        description: tool.description,
        parameters: Object.fromEntries(
          Object.entries(tool.inputSchema.properties ?? {}).map(([name, { type }]) => [
            name,
            {
              required: tool.inputSchema.required?.includes(name) ?? false,
              type: pythonType(String(type)),
              default: null,
            },
          ]),
        ),
        return_type: tool.returnType,
      },
    ]);
    return JSON.stringify(Object.fromEntries(described));
  }
}

function serve(tool: Tool, config: MockConfig, counter: { count: number }): ServedTool {
  const own = config.tools[tool.name];
  const latency = own?.latency ?? config.latency ?? '0';
  const behaviour = new Behaviour(
    config.seed,
    latency === '0' ? null : parseLatency(latency),
    mergeFaults(config.faults, own?.faults ?? {}),
  );
  return { tool, behaviour, counter, plain: behaviour.plain && tool.workNs === undefined && !tool.script };
}

function pagesOf(tools: Tool[], perPage: number): string[] {
  const pages: string[] = [];
  for (let at = 0; at < tools.length; at += perPage) {
    const listed = tools
      .slice(at, at + perPage)
      .map(({ name, description, inputSchema, more }) => ({ name, ...more, description, inputSchema }));
    const more = at + perPage < tools.length ? { nextCursor: `page-${pages.length + 2}` } : {};
    pages.push(JSON.stringify({ tools: listed, ...more }));
  }
  return pages;
}

function pythonType(type: string): string {
  const names: Record<string, string> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    object: 'dict',
    array: 'list',
  };
  return names[type] ?? 'Any';
}
