import { resolve } from 'node:path';
import { keepEnvironment, keepWords } from '../text/secrets.js';
import { keepOwnEnvironment } from './keep-own-environment.js';
import type { CommandPlan } from './plan.js';
import type { Problem } from './problem.js';
import { resolveEnvironment } from './resolve-environment.js';
import type { Scenario } from './schema.js';

type TargetInput = NonNullable<Scenario['target']>;

// Of a server that is reached by a URL.
const forUrls = [
  'dialect',
  'headers',
  'token',
  'listen',
  'unixSocket',
  'tls',
  'allowForeignEndpoint',
] as const;

/** The command of a target with the environment's values in it, null where it has none; reports what does not go with it. */
export function makeCommand(
  target: TargetInput,
  folder: string,
  report: (problem: Problem) => void,
): CommandPlan | null {
  const { command, url, transport } = target;
  const object = (key: keyof TargetInput, message: string): void =>
    report({ path: ['target', key], message });
  if (command === undefined) {
    for (const key of ['env', 'cwd'] as const)
      if (target[key] !== undefined) object(key, `${key} is for a command: expected a command, found none`);
    if (transport === 'stdio')
      object('transport', 'stdio is spoken to a command: expected a command, found none');
    return null;
  }
  if (url !== undefined && transport === 'stdio')
    object('url', 'over stdio a server has no url: expected a command alone');
  if (url === undefined) {
    if (transport === 'sse' || transport === 'streamable')
      object('transport', `${transport} is spoken to a URL: expected the url at which the command serves`);
    for (const key of forUrls)
      if (target[key] !== undefined && !(key === 'dialect' && target.dialect === 'auto'))
        object(key, `${key} is for servers with a url: a command alone is spoken to over stdio`);
  }
  const read = (text: string, path: Problem['path']): string =>
    resolveEnvironment(text, 'all processes are started alike', path, report);
  const words = command.map((word, at) => read(word, ['target', 'command', at]));
  if (words[0] === '')
    report({ path: ['target', 'command', 0], message: 'expected a program, found nothing' });
  const env = Object.fromEntries(
    Object.entries(target.env ?? {}).map(([name, text]) => [name, read(text, ['target', 'env', name])]),
  );
  // It is given ours, too.
  keepOwnEnvironment();
  keepEnvironment(env);
  keepWords(words);
  return { command: words, env, cwd: resolve(folder, target.cwd ?? '.') };
}
