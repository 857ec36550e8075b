import type { ArgumentsCamelCase } from 'yargs';
import { Failure } from '../../failure.js';
import { finalLines } from './final-lines.js';
import type { MockConfig } from '../../../mock-server/config/config.js';
import type { MockFlags } from './mock-flags.js';
import { plainConfigOf } from '../../../mock-server/config/plain-config.js';
import { serveStdio } from '../../../mock-server/stdio/serve-stdio.js';

/** Runs the mock on stdin and stdout, and returns the exit code. */
export async function servePipes(given: ArgumentsCamelCase<MockFlags>): Promise<number> {
  refuseForPort(given);
  const { log, json } = given;
  return serveStdio(await configOf(given), {
    statsFile: given.statsFile,
    log,
    lastWords: (stats) => (json ? JSON.stringify({ pid: process.pid, stats }) : finalLines(stats)),
  });
}

async function configOf(given: ArgumentsCamelCase<MockFlags>): Promise<MockConfig> {
  const { seed, latency, fault } = given;
  const more = given.config ?? given.freeze ?? given.lineEnding ?? given.set[0];
  const simple = more === undefined && !given.conformance ? plainConfigOf({ seed, latency, fault }) : null;
  if (simple === null) return (await import('./mock-config.js')).mockConfigOf(given);
  return given.ignoreEof ? { ...simple, stdio: { stayAfterEof: 600e9 } } : simple;
}

function refuseForPort(given: ArgumentsCamelCase<MockFlags>): void {
  const flags = ['port', 'host', 'engine', 'threads', 'dialect', 'like', 'keep-alive', 'ack'] as const;
  const wrong = flags.find((flag) => given[flag] !== undefined);
  if (wrong !== undefined) throw new Failure(`--${wrong} is about HTTP; leave it out with --stdio`);
}
