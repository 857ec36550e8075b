import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { ExitCode, Failure } from '../../failure.js';
import { terminalReport } from '../../report/run/terminal.js';
import { readResult } from '../../result/read-result.js';
import { wantsColour } from '../colour.js';
import { otlpFlag, parseOtlpFlag } from '../flags/otlp-flag.js';
import { parseReportFiles } from '../reports/report-files.js';
import { runReportKinds } from '../reports/run-reports.js';
import { standardOutput } from '../reports/standard-output.js';
import { sendOtlp } from '../reports/send-otlp.js';
import { writeReports } from '../reports/write-reports.js';
import { tell } from '../tell.js';
import { printForActions } from '../actions.js';

interface Flags {
  result: string;
  report?: string[];
  otlp?: string;
  color?: boolean;
  verbose?: boolean;
  json?: boolean;
  summary?: boolean;
}

/** `mcp-bench report`: the reports of a stored result; on the terminal where nothing else is asked for. */
export function reportCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await report(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return otlpFlag(yargs)
    .positional('result', { type: 'string', describe: 'result file, as `run` writes it' })
    .option('report', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: `${runReportKinds.join('|')}=FILE (repeatable); - is standard output`,
    })
    .option('verbose', { type: 'boolean', describe: 'show all figures, not only the main ones' })
    .option('json', { type: 'boolean', describe: 'print the result as JSON' })
    .option('summary', { type: 'boolean', describe: 'print the result as one line' })
    .option('color', {
      type: 'boolean',
      describe: 'use colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 report results/burst.json', 'on the terminal')
    .example('$0 report results/burst.json --report html=burst.html', 'one page, to open in a browser')
    .example('$0 report results/burst.json --otlp http://127.0.0.1:4318', 'its metrics to a collector');
}

async function report(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const files = parseReportFiles(given.report, runReportKinds);
  const forPrograms = standardOutput(given, files);
  const otlp = parseOtlpFlag(given.otlp);
  const result = readResult(given.result);
  await writeReports(result, files);
  if (forPrograms !== null && !files.some(({ path }) => path === '-'))
    await writeReports(result, [{ kind: forPrograms, path: '-' }]);
  if (otlp !== null) {
    const unsent = await sendOtlp(result, otlp);
    if (unsent !== null) throw new Failure(`metrics not sent, ${unsent}`, ExitCode.runFailed);
    tell(`sent metrics to ${otlp.url}`);
  }
  if (files.length === 0 && otlp === null && forPrograms === null) {
    const options = { colour: wantsColour(given.color), width: process.stdout.columns ?? 100 };
    printForActions(
      terminalReport(result, { ...options, path: given.result, glance: given.verbose !== true }),
    );
  }
  return ExitCode.pass;
}
