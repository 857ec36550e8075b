import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { ExitCode } from '../../failure.js';
import { wantsColour } from '../colour.js';
import { probe } from '../../probe/probe.js';
import { probeTerminal } from '../../report/probe/probe-terminal.js';
import {
  callWishOf,
  durationFlagMs,
  type TargetFlags,
  targetFlags,
  targetOf,
} from '../flags/target-flags.js';
import { printForActions } from '../actions.js';
import { printableJson } from '../../text/one-line.js';

interface Flags extends TargetFlags {
  calls: number;
  listen: string;
  json: boolean;
  color?: boolean;
}

/** `mcp-bench probe`: says what a server is like. */
export function probeCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await run(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return targetFlags(yargs)
    .option('calls', {
      type: 'number',
      default: 10,
      requiresArg: true,
      describe: 'make this many timed calls',
    })
    .option('listen', {
      type: 'string',
      default: '3s',
      requiresArg: true,
      describe: 'listen so long for keep-alives',
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'print everything found as one JSON object',
    })
    .option('color', {
      type: 'boolean',
      describe: 'use colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 probe http://127.0.0.1:3000/sse', 'a page about the server there')
    .example('$0 probe -- node server.js --flag', 'about a server that is started and spoken to over stdio')
    .example('$0 probe http://127.0.0.1:3000/sse --tool search --arguments \'{"q":"x"}\'', 'time this tool')
    .epilogue(
      'Asks what is spoken, opens a session (two over HTTP+SSE), makes some ten calls of a tool that is not destructive, and over HTTP+SSE asks a few wrong questions.\nExit codes: 0 a server was found · 1 none was · 2 bad usage',
    );
}

async function run(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const report = await probe(targetOf(given), {
    timeoutMs: durationFlagMs('--timeout', given.timeout),
    listenMs: durationFlagMs('--listen', given.listen),
    calls: { ...callWishOf(given), count: Math.max(1, Math.min(1000, given.calls)) },
  });
  if (given.json) {
    console.log(printableJson(JSON.stringify(report, null, 2)));
    return ExitCode.pass;
  }
  printForActions(
    probeTerminal(report, { colour: wantsColour(given.color), width: process.stdout.columns ?? 100 }),
  );
  return ExitCode.pass;
}
