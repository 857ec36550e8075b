import type { Argv } from 'yargs';
import { Failure } from '../../failure.js';
import { parseDuration } from '../../scenario/duration.js';
import type { ScenarioOverrides } from '../../scenario/apply-overrides.js';
import { planScenario } from '../../scenario/load-scenario.js';
import type { JsonValue, TargetPlan } from '../../scenario/plan.js';
import { readArguments } from './call-flags.js';
import { type TransportFlags, transportFlags, transportOf } from './transport-flags.js';

/** How to reach a server. */
export interface ReachFlags extends TransportFlags {
  /** Absent where a server is started. */
  url?: string;
  dialect?: string;
  header?: string[];
  insecure?: boolean;
  timeout: string;
}

/** How to reach it, and which of its tools to call. */
export interface TargetFlags extends ReachFlags {
  tool?: string;
  arguments?: string;
  allowDestructive: boolean;
}

/** Declares how a server is reached. */
export function reachFlags(yargs: Argv<object>): Argv<object> {
  return transportFlags(yargs)
    .positional('url', {
      type: 'string',
      describe: 'URL of the server; without a path /mcp and /sse are tried',
    })
    .option('dialect', {
      type: 'string',
      requiresArg: true,
      describe: 'speak this protocol dialect (default: detect)',
    })
    .option('header', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'send an extra request header "Name: value" (repeatable)',
    })
    .option('insecure', { type: 'boolean', describe: "do not verify the server's certificate" })
    .option('timeout', {
      type: 'string',
      default: '10s',
      requiresArg: true,
      describe: 'wait so long for each response',
    });
}

/** Declares which tool is called, too. */
export function targetFlags(yargs: Argv<object>): Argv<object> {
  return reachFlags(yargs)
    .option('tool', {
      type: 'string',
      requiresArg: true,
      describe: 'call this tool (default: the cheapest safe one)',
    })
    .option('arguments', {
      type: 'string',
      requiresArg: true,
      describe: 'pass these arguments to it, as JSON (default: made up from its schema)',
    })
    .option('allow-destructive', {
      type: 'boolean',
      default: false,
      describe: 'also call tools that are marked or named as changing things',
    });
}

/** The flags as a scenario's overrides. */
export function overridesOf(given: ReachFlags): ScenarioOverrides {
  const { url, dialect, header, insecure } = given;
  return {
    ...(url === undefined ? {} : { target: url }),
    ...transportOf(given),
    ...(dialect === undefined ? {} : { dialect }),
    ...(header === undefined ? {} : { headers: header }),
    ...(insecure === undefined ? {} : { insecure }),
  };
}

/** The target of the flags, checked as a scenario's is. */
export function targetOf(given: ReachFlags): TargetPlan {
  try {
    return planScenario(
      { sessions: 1, load: { model: 'count', calls: 1 }, calls: [{ method: 'ping' }] },
      overridesOf(given),
    ).target;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      error.lines.map((line) => line.replace(/^(--target|--): /, '')),
      error.exitCode,
    );
  }
}

/** Which tool is wished for, with its arguments read. */
export function callWishOf(given: TargetFlags): {
  tool: string | undefined;
  arguments: Record<string, JsonValue> | undefined;
  allowDestructive: boolean;
} {
  const { tool, allowDestructive } = given;
  if (given.arguments !== undefined && tool === undefined)
    throw new Failure('--arguments belong to a tool: name it with --tool');
  return {
    tool,
    allowDestructive,
    arguments: given.arguments === undefined ? undefined : readArguments(given.arguments),
  };
}

/** A duration flag in milliseconds. */
export function durationFlagMs(flag: string, text: string): number {
  const ns = parseDuration(text);
  if (ns === null) throw new Failure(`${flag} ${text}: expected a duration such as 10s or 500ms`);
  return ns / 1e6;
}
