import type { Argv } from 'yargs';
import type { ScenarioOverrides } from '../../scenario/apply-overrides.js';

/** What is spoken to a server, where it is not to be found out. */
export interface TransportFlags {
  transport?: string;
  protocol?: string;
  /** A server to start: the words after `--`. */
  server?: readonly string[];
}

/** Declares them. */
export function transportFlags(yargs: Argv<object>): Argv<object> {
  return yargs
    .option('transport', {
      type: 'string',
      requiresArg: true,
      describe: 'speak sse or streamable (default: auto, ask the server); a command after -- speaks stdio',
    })
    .option('protocol', {
      type: 'string',
      requiresArg: true,
      describe: 'speak this revision of MCP, e.g. 2025-11-25 (default: auto, the newest it knows)',
    });
}

/** The flags as a scenario's overrides. */
export function transportOf({ transport, protocol, server }: TransportFlags): ScenarioOverrides {
  return {
    ...(server === undefined ? {} : { command: server }),
    ...(transport === undefined ? {} : { transport }),
    ...(protocol === undefined ? {} : { protocol }),
  };
}
