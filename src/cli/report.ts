import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { ExitCode, Failure } from '../failure.js';
import { terminalReport } from '../report/terminal.js';
import { readResult } from '../result/read-result.js';
import { wantsColour } from './colour.js';
import { otlpFlag, parseOtlpFlag, sendOtlp } from './send-otlp.js';
import { parseReportFlags, runReportKinds, writeReports } from './write-reports.js';

interface Flags {
  result: string;
  report?: string[];
  otlp?: string;
  color?: boolean;
}

/** `mcp-bench report`: the reports of a stored result; on the terminal where nothing else is asked for. */
export function reportCommand(done: (exitCode: number) => void): CommandModule<object, Flags> {
  return {
    command: 'report <result>',
    describe: 'Report a stored result again: on the terminal, or in another format',
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
      describe: `${runReportKinds.join('|')}=FILE (repeatable)`,
    })
    .option('color', {
      type: 'boolean',
      describe: 'colours (default: on a terminal); --no-color switches them off',
    })
    .example('$0 report results/burst.json', 'on the terminal')
    .example('$0 report results/burst.json --report html=burst.html', 'one page, to open in a browser')
    .example('$0 report results/burst.json --otlp http://127.0.0.1:4318', 'its metrics to a collector');
}

async function report(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const files = parseReportFlags(given.report);
  const otlp = parseOtlpFlag(given.otlp);
  const result = readResult(given.result);
  writeReports(result, files);
  if (otlp !== null) {
    const unsent = await sendOtlp(result, otlp);
    if (unsent !== null) throw new Failure(`metrics not sent, ${unsent}`, ExitCode.runFailed);
    console.error(`mcp-bench: sent metrics to ${otlp.url}`);
  }
  if (files.length === 0 && otlp === null) {
    const options = { colour: wantsColour(given.color), width: process.stdout.columns ?? 100 };
    console.log(terminalReport(result, { ...options, path: given.result }));
  }
  return ExitCode.pass;
}
