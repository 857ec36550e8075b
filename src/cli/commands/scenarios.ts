import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import { ExitCode, Failure } from '../../failure.js';
import { writeFileWhole } from '../../result/write-file.js';
import { didYouMean } from '../../scenario/did-you-mean.js';
import { type StockScenario, stockScenarios } from '../../scenario/stock-scenarios.js';
import type { CommandCode } from '../command-code.js';
import { tell } from '../tell.js';
import { writeReportFile } from '../reports/report-files.js';

interface Flags {
  name?: string;
  copy?: string;
}

/** `mcp-bench scenarios`: lists what comes with the package, shows one, or copies it. */
export function scenariosCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: (given) => done(show(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .positional('name', { type: 'string', describe: 'print this one instead' })
    .option('copy', {
      type: 'string',
      describe: 'write it to this new file, to be changed (default: <name>.yaml)',
    })
    .example('$0 scenarios', 'all of them, a line each')
    .example('$0 scenarios burst', 'what is in it')
    .example('$0 scenarios burst --copy', 'a burst.yaml of your own');
}

function show(given: ArgumentsCamelCase<Flags>): ExitCode {
  const all = stockScenarios();
  if (given.name === undefined) {
    if (given.copy !== undefined)
      throw new Failure('--copy belongs to a scenario: mcp-bench scenarios burst --copy');
    const width = Math.max(...all.map(({ name }) => name.length));
    for (const { name, question } of all) console.log(`${name.padEnd(width)}  ${question}`);
    return ExitCode.pass;
  }
  const found = all.find(({ name }) => name === given.name);
  if (found === undefined) {
    const names = all.map(({ name }) => name);
    const meant = didYouMean(given.name, names) || ` (there are: ${names.join(', ')})`;
    throw new Failure(`scenarios: there is no stock scenario "${given.name}"${meant}`);
  }
  const text = readFileSync(found.file, 'utf8');
  if (given.copy === undefined) writeReportFile('-', text);
  else copy(found, text, given.copy === '' ? `${found.name}.yaml` : given.copy);
  return ExitCode.pass;
}

/** A copy lies beside no schema; data files that it reads come along. */
function copy({ name, file }: StockScenario, text: string, path: string): void {
  const data = text.includes('\ndata: data/') ? readdirSync(join(dirname(file), 'data')) : [];
  const files = [
    { path, text: text.replace(/^# yaml-language-server:.*\n/, '') },
    ...data.map((each) => ({
      path: join(dirname(path), 'data', each),
      text: readFileSync(join(dirname(file), 'data', each), 'utf8'),
    })),
  ];
  const taken = files.find((each) => existsSync(each.path));
  if (taken !== undefined)
    throw new Failure(`${taken.path} exists already: name another file with --copy FILE`);
  for (const each of files) {
    writeFileWhole(each.path, each.text);
    tell(`wrote ${each.path}`);
  }
  tell(`${name} is yours now: mcp-bench run ${path}`);
}
