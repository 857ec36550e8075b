import { isMap } from './is-map.js';
import { type ProbedTool, riskOf, type ToolAnnotations } from './probed-tool.js';
import { sampleArguments } from './sample-arguments.js';
import { sharedEffort } from './sample-budget.js';
import { weighJson } from './weigh-json.js';

/** A tool that was listed and is not looked at any further. */
export interface LeftOutTool {
  /** Its name, or its number in the list where it has none that could be shown. */
  readonly tool: string;
  readonly reason: string;
}

const mostTools = 2000;
const mostLeftOut = 1000;
const longestName = 200;
const ofOneTool = { values: 20_000, depth: 64, characters: 1_000_000 };
const ofAll = { values: 300_000, characters: 16_000_000 };

/** Takes in the tools that a server lists for as long as they keep within bounds; what does not is left out, with its reason. */
export class ToolIntake {
  readonly tools: ProbedTool[] = [];
  readonly leftOut: LeftOutTool[] = [];
  private listed = 0;
  private values = 0;
  private characters = 0;
  private readonly effort = sharedEffort();

  /** Why nothing more is taken in; null while there is room. */
  get full(): string | null {
    if (this.tools.length >= mostTools || this.leftOut.length >= mostLeftOut)
      return `the rest of the list was not looked at: ${mostTools.toLocaleString('en-US')} tools are enough, and ${mostLeftOut.toLocaleString('en-US')} bad ones`;
    if (this.values > ofAll.values || this.characters > ofAll.characters)
      return 'the rest of the list was not looked at: the tools before it are too large together';
    return null;
  }

  /** Takes in all that there is room for; false where something was left. */
  addAll(listed: readonly unknown[]): boolean {
    for (const each of listed) {
      if (this.full !== null) return false;
      this.listed++;
      const tool = this.read(each);
      if ('reason' in tool) this.leftOut.push(tool);
      else this.tools.push(tool);
    }
    return true;
  }

  private read(given: unknown): ProbedTool | LeftOutTool {
    const number = `#${this.listed}`;
    const { name, description, inputSchema, annotations } = isMap(given) ? given : {};
    if (typeof name !== 'string' || name === '') return { tool: number, reason: 'it has no name' };
    if (name.length > longestName)
      return {
        tool: number,
        reason: `its name has ${name.length.toLocaleString('en-US')} characters: ${name.slice(0, 40)}…`,
      };
    const { values, characters, excess } = weighJson(given, ofOneTool);
    this.values += values;
    this.characters += characters;
    if (excess !== null) return { tool: name, reason: `its description ${excess}` };
    const marks = isMap(annotations) ? (annotations as ToolAnnotations) : null;
    const schema = isMap(inputSchema) ? inputSchema : {};
    return {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema: schema,
      annotations: marks,
      risk: riskOf(name, marks),
      unfit: sampleArguments(schema, { varied: false, effort: this.effort }).objection,
    };
  }
}
