import { namesSecret } from '../text/secret-names.js';

/** The words of a command as a file may hold them, and the environment variables that it takes its secrets from. */
export interface DraftCommand {
  readonly words: readonly string[];
  /** By name: what stood there. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Puts `{{env NAME}}` in the place of the value of each option that is called a secret. */
export function draftCommand(given: readonly string[]): DraftCommand {
  const variables: Record<string, string> = {};
  const hide = (name: string, value: string): string => {
    const stem = `MCP_${name
      .replace(/^-+/, '')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')}`;
    let variable = stem;
    for (let count = 2; Object.hasOwn(variables, variable); count++) variable = `${stem}_${count}`;
    variables[variable] = value;
    return `{{env ${variable}}}`;
  };
  const words = given.map((word, at) => {
    const before = given[at - 1] ?? '';
    if (/^-+[\w.-]+$/.test(before) && namesSecret(before) && !word.startsWith('-')) return hide(before, word);
    const [, name = '', value = ''] = /^(-*[\w.-]+)=(.*)$/s.exec(word) ?? [];
    return value !== '' && namesSecret(name) ? `${name}=${hide(name, value)}` : word;
  });
  return { words, variables };
}
