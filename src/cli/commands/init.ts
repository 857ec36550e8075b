import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { ExitCode, Failure } from '../../failure.js';
import { draftScenario } from '../../probe/draft-scenario.js';
import { allMarked } from '../../probe/probed-tool.js';
import { surveyTools } from '../../probe/survey-tools.js';
import { writeFileWhole } from '../../result/write-file.js';
import { formatAmount } from '../../result/units.js';
import { planFrom } from '../../scenario/load-scenario.js';
import { parseYamlSource } from '../../scenario/yaml-source.js';
import { packageVersion } from '../../version.js';
import { durationFlagMs, reachFlags, type ReachFlags, targetOf } from '../flags/target-flags.js';
import { draftCommand } from '../../probe/draft-command.js';
import { draftUrl } from '../../probe/draft-url.js';
import { writeReportFile } from '../reports/report-files.js';

interface Flags extends ReachFlags {
  out: string;
  force: boolean;
  allowDestructive: boolean;
}

/** `mcp-bench init`: drafts a scenario from a server's own tools. */
export function initCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as unknown as Argv<Flags>,
    handler: async (given) => done(await run(given)),
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return reachFlags(yargs)
    .option('out', {
      type: 'string',
      default: 'scenario.yaml',
      requiresArg: true,
      describe: 'write the scenario to this file; - prints it instead',
    })
    .option('force', { type: 'boolean', default: false, describe: 'replace the file if it exists' })
    .option('allow-destructive', {
      type: 'boolean',
      default: false,
      describe: 'also try and list tools that are marked or named as changing things or reaching out',
    })
    .example('$0 init http://127.0.0.1:3000/sse', 'then: mcp-bench run scenario.yaml')
    .example('$0 init -- node server.js', 'the same for a server of stdio')
    .epilogue(
      'Every tool that is not marked or named as changing things or reaching out is called three times, with the arguments that the scenario will send.\n' +
        'Exit codes: 0 written · 1 no such server · 2 bad usage',
    );
}

async function run(given: ArgumentsCamelCase<Flags>): Promise<number> {
  const { out, force } = given;
  if (out !== '-' && !force && existsSync(out))
    throw new Failure(`${out} exists already: name another file with --out, or replace it with --force`);
  const target = targetOf(given);
  const survey = await surveyTools(target, {
    timeoutMs: durationFlagMs('--timeout', given.timeout),
    allowDestructive: given.allowDestructive,
  });
  const text = draftScenario(survey, {
    toolVersion: packageVersion(),
    named: { transport: given.transport, protocol: given.protocol, dialect: given.dialect },
    insecure: given.insecure === true,
    headers: Object.keys(target.headers),
    folder: resolve(out === '-' ? '.' : dirname(out)),
  });
  // What we write ourselves must be what we read: anything else is a bug, and better found here.
  const { variables } =
    survey.command === undefined ? draftUrl(survey.url) : draftCommand(survey.command.command);
  Object.assign(process.env, variables);
  planFrom(parseYamlSource(out, text), 'scenario', {});
  if (out === '-') {
    writeReportFile('-', text);
    return ExitCode.pass;
  }
  writeFileWhole(out, text);
  const left = survey.tools.filter(({ objection }) => objection !== null).length;
  const called = survey.tools.length - left;
  console.log(
    `wrote ${out}: ${formatAmount(called, 'tool')} called, ${left} left out (see its comments). Next: ${Object.keys(
      variables,
    )
      .map((name) => `${name}=… `)
      .join('')}mcp-bench run ${out}`,
  );
  const marked = called === 0 ? allMarked(survey.tools.map(({ tool }) => tool)) : null;
  if (marked !== null) console.log(marked);
  return ExitCode.pass;
}
