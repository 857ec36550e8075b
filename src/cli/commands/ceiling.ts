import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { ExitCode, Failure } from '../../failure.js';
import { measureCeiling } from '../../ceiling/measure-ceiling.js';
import { ceilingTerminal } from '../../report/ceiling/ceiling-terminal.js';
import { wantsColour } from '../colour.js';
import {
  callWishOf,
  durationFlagMs,
  overridesOf,
  type TargetFlags,
  targetFlags,
  targetOf,
} from '../flags/target-flags.js';
import { printForActions } from '../actions.js';
import { printableJson } from '../../text/one-line.js';

interface Flags extends TargetFlags {
  connections: number;
  sessions: number;
  duration: string;
  yes: boolean;
  json: boolean;
  color?: boolean;
}

/** `mcp-bench ceiling`: is a server's limit its HTTP front or its tool path? */
export function ceilingCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await run(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return targetFlags(yargs)
    .option('connections', {
      type: 'number',
      default: 10,
      requiresArg: true,
      describe: 'keep this many POSTs in progress at a time, and start with this many calls in flight',
    })
    .option('sessions', {
      type: 'number',
      default: 1,
      requiresArg: true,
      describe: 'spread them over this many sessions',
    })
    .option('duration', {
      type: 'string',
      default: '5s',
      requiresArg: true,
      describe: 'flood for so long, and measure calls for so long each time',
    })
    .option('yes', { type: 'boolean', default: false, describe: 'also flood a server on another machine' })
    .option('json', { type: 'boolean', default: false, describe: 'print one JSON object' })
    .option('color', {
      type: 'boolean',
      describe: 'use colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 ceiling http://127.0.0.1:3000/sse', 'about half a minute')
    .epilogue(
      'The flood is of notifications that ask for nothing. Only a server on this machine is flooded, unless --yes is given.\n' +
        'Exit codes: 0 measured · 1 no such server, or nothing was accepted or answered · 2 bad usage',
    );
}

async function run(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const { connections, sessions } = given;
  const whole = (name: string, value: number, most: number): void => {
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new Failure(`--${name}: expected a whole number from 1 to ${most}, found ${value}`);
  };
  whole('connections', connections, 1000);
  whole('sessions', sessions, connections);
  const report = await measureCeiling(targetOf(given), {
    overrides: overridesOf(given),
    wish: { ...callWishOf(given), count: 3 },
    connections,
    sessions,
    durationMs: durationFlagMs('--duration', given.duration),
    timeoutMs: durationFlagMs('--timeout', given.timeout),
    elsewhere: given.yes,
  });
  if (given.json) console.log(printableJson(JSON.stringify(report, null, 2)));
  else
    printForActions(
      ceilingTerminal(report, { colour: wantsColour(given.color), width: process.stdout.columns ?? 100 }),
    );
  return report.flood.accepted === 0 || report.calls.ok === 0 ? ExitCode.runFailed : ExitCode.pass;
}
