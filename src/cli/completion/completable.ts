import { stockScenarios } from '../../scenario/stock-scenarios.js';
import { commands } from '../commands.js';
import { DeclaredFlags } from '../flags/declared-flags.js';
import { flagValues } from '../flags/flag-values.js';

/** A flag as a shell may complete it. */
export interface CompletableFlag {
  readonly name: string;
  readonly describe: string;
  readonly takesValue: boolean;
  /** The words that it takes; null where any text, or a file, will do. */
  readonly values: readonly string[] | null;
}

/** A command as a shell may complete it. */
export interface CompletableCommand {
  readonly name: string;
  readonly describe: string;
  readonly flags: readonly CompletableFlag[];
  /** Words that may stand for its argument, beside files. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
}

/** All that can be completed on a command line, from what the commands declare. */
export async function completable(): Promise<CompletableCommand[]> {
  const stock = stockScenarios().map(({ name }) => name);
  return Promise.all(
    commands.map(async ({ name, usage, describe, load }) => {
      const { options } = new DeclaredFlags((await load(() => undefined)).builder);
      const flags = [...options].map(([flag, option]): CompletableFlag => ({
        name: `--${flag}`,
        describe: option.describe ?? '',
        takesValue: option.type !== 'boolean',
        values: flagValues[flag] ?? null,
      }));
      const help = { name: '--help', describe: 'show help', takesValue: false, values: null };
      return {
        name,
        describe,
        flags: [...flags, help],
        words: name === 'completion' ? ['bash', 'zsh', 'fish'] : /scenario|\[name\]/.test(usage) ? stock : [],
        takesFiles: /scenario\b|result|base|targets/.test(usage) && name !== 'scenarios',
      };
    }),
  );
}
