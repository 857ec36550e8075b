import { createContext, Script } from 'node:vm';

const sandbox = createContext({ pattern: '', text: '' });
const script = new Script('new RegExp(pattern, "u").test(text)');
// The usual pattern takes microseconds, a busy machine included; one that backtracks for ever takes what it is given.
const mostMs = 250;
const longestPattern = 4096;

/**
 * Whether a regular expression of a server accepts a text; `invalid` where it is none, or longer than any that is meant
 * well, and `slow` where it does not say so in time.
 */
export function acceptsText(pattern: string, text: string): boolean | 'invalid' | 'slow' {
  if (pattern.length > longestPattern) return 'invalid';
  sandbox['pattern'] = pattern;
  sandbox['text'] = text;
  try {
    // Only a script can be stopped in the middle of a match.
    return script.runInContext(sandbox, { timeout: mostMs }) as boolean;
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'slow' : 'invalid';
  }
}
