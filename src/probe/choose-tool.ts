import { ExitCode, Failure } from '../failure.js';
import type { ProbedTool } from './probed-tool.js';
import { cut } from '../text/cut.js';

export interface ToolWish {
  /** Call this one and no other. */
  readonly tool?: string | undefined;
  readonly allowDestructive?: boolean | undefined;
}

const slow =
  /sleep|wait|delay|long|stress|bench|download|fetch|crawl|search|image|screenshot|generat|sampl|elicit|stream/i;
const failing = /fail|error|throw|crash|raise|panic/i;
const cheap = /^(ping|hello|version|time|now|status|health|info|random|add|sum|get.?sum)$/i;

/** The tools that may be called for a measurement, the cheapest safe one first; those that may not are left out. */
export function rankTools(tools: readonly ProbedTool[], wish: ToolWish): ProbedTool[] {
  if (wish.tool !== undefined) return [wishedTool(tools, wish.tool, wish.allowDestructive === true)];
  return tools
    .filter(({ risk }) => wish.allowDestructive === true || risk === 'none' || risk === 'unmarked')
    .map((tool) => ({ tool, cost: costOf(tool) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ tool }) => tool);
}

function wishedTool(tools: readonly ProbedTool[], name: string, allowDestructive: boolean): ProbedTool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const names = cut(tools.map((each) => each.name).join(', '), 300) || 'none';
    throw new Failure(`--tool ${name}: the server has no such tool (it has: ${names})`, ExitCode.usage);
  }
  if (tool.risk === 'destructive' && !allowDestructive)
    throw new Failure(
      `--tool ${name}: its annotations call it destructive; add --allow-destructive if you mean it`,
      ExitCode.usage,
    );
  return tool;
}

// Lower is better: a tool that says it only reads before one that says nothing, few arguments before many.
function costOf({ name, annotations, inputSchema }: ProbedTool): number {
  const needed = requiredCount(inputSchema);
  return (
    (annotations?.readOnlyHint === true ? 0 : annotations?.destructiveHint === false ? 8 : 10) +
    (annotations?.openWorldHint === true ? 8 : 0) +
    (failing.test(name) ? 50 : 0) +
    (slow.test(name) ? 30 : 0) +
    needed * 2 -
    (/^echo/i.test(name) ? 6 : cheap.test(name) ? 4 : 0)
  );
}

function requiredCount({ required }: ProbedTool['inputSchema']): number {
  return Array.isArray(required) ? required.length : 0;
}
