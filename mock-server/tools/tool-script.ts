import type { InputRound } from '../offers/input-rounds.js';
import { ToolResult } from './tool.js';
import type { Template } from './template.js';
import type { TemplateContext } from './template.js';

export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof logLevels)[number];

/** Lists whose changes a server announces. */
export const announced = ['tools', 'prompts', 'resources'] as const;
export type Announced = (typeof announced)[number];

/** One thing that a tool does before it answers. */
export type ToolStep =
  | { readonly kind: 'wait'; readonly ns: number }
  | {
      readonly kind: 'progress';
      readonly progress: number;
      readonly total?: number;
      readonly message?: string;
    }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly params: Template }
  | { readonly kind: 'notify'; readonly method: string; readonly params: Template }
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: Template;
      /** The name that templates know the client's answer by: `{{answers.NAME}}`. */
      readonly as: string;
      readonly timeoutNs: number;
    }
  | { readonly kind: 'announce'; readonly what: Announced }
  | { readonly kind: 'update'; readonly uri: string }
  | { readonly kind: 'disconnect' };

/** What a tool of the configuration does beyond returning a value: all of it is data. */
export interface ToolScript {
  readonly steps: readonly ToolStep[];
  /** The capabilities that its client must have declared. */
  readonly requires: Readonly<Record<string, unknown>>;
  /** What it asks its client for, round by round. */
  readonly input: readonly InputRound[];
  /** Its result, filled with what is known then; without one it returns what `run` does. */
  readonly result: Template | undefined;
}

/** The result of a call whose script has come to its end; undefined where the script says nothing of it. */
export function scriptResult(script: ToolScript, context: TemplateContext): ToolResult | undefined {
  return script.result && new ToolResult(script.result.render(context));
}
