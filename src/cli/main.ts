#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { ExitCode, Failure } from '../failure.js';
import { calibrateCommand } from './calibrate.js';
import { compareCommand } from './compare.js';
import { ceilingCommand } from './ceiling.js';
import { initCommand } from './init.js';
import { probeCommand } from './probe.js';
import { reportCommand } from './report.js';
import { historyCommand } from './history.js';
import { runCommand } from './run.js';
import { serveMockCommand } from './serve-mock.js';
import { versusCommand } from './versus.js';
import { packageVersion } from '../version.js';

/** Parses the command line, runs one command and returns the exit code. Only this file ends the process. */
async function main(argv: string[]): Promise<number> {
  let exitCode: number = ExitCode.pass;
  const done = (code: number): void => {
    exitCode = code;
  };
  try {
    await yargs(argv)
      .scriptName('mcp-bench')
      .usage('$0 <command>\n\nLoad and latency benchmark for MCP servers.')
      .command(runCommand(done))
      .command(reportCommand(done))
      .command(compareCommand(done))
      .command(historyCommand(done))
      .command(calibrateCommand(done))
      .command(serveMockCommand(done))
      .command(probeCommand(done))
      .command(initCommand(done))
      .command(versusCommand(done))
      .command(ceilingCommand(done))
      .demandCommand(1, 'Say what to do: one of the commands above.')
      .strict()
      .recommendCommands()
      .version(packageVersion())
      .help()
      .alias('h', 'help')
      .wrap(Math.min(110, process.stdout.columns ?? 100))
      .exitProcess(false)
      .fail((message, error, usage) => {
        // What yargs itself finds wrong, such as a flag without its value, is the user's mistake.
        if (error && error.name !== 'YError') throw error;
        const command = argv.find((word) => !word.startsWith('-'));
        if (argv.length === 0) usage.showHelp('error');
        throw new Failure(
          `${plainer(message, command)} (see mcp-bench ${command ? `${command} ` : ''}--help)`,
        );
      })
      .parseAsync();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`mcp-bench: ${error.message}`);
    return error.exitCode;
  }
  return exitCode;
}

const needs: Readonly<Record<string, string>> = {
  run: 'a scenario: mcp-bench run scenarios/smoke.yaml',
  report: 'a result: mcp-bench report results/smoke-….json',
  compare: 'the results of both sides: mcp-bench compare BASE… --against HEAD…',
  history: 'the name of a scenario: mcp-bench history smoke',
  probe: 'a URL: mcp-bench probe http://127.0.0.1:3000/sse',
  init: 'a URL: mcp-bench init http://127.0.0.1:3000/sse',
  ceiling: 'a URL: mcp-bench ceiling http://127.0.0.1:3000/sse',
  versus: 'targets and a scenario: mcp-bench versus targets.yaml scenario.yaml',
};

// What yargs says, as a person would.
function plainer(message: string, command = ''): string {
  if (message.startsWith('Not enough non-option arguments'))
    return `${command} needs ${needs[command] ?? 'an argument'}`;
  return message.split('\n').join(' ');
}

process.exitCode = await main(hideBin(process.argv));
