import { existsSync } from 'node:fs';
import { keepEnvironment } from '../text/secrets.js';
import { namesSecret } from '../text/secret-names.js';

// Called like a password, and the folder that all is about.
const folders = new Set(['PWD', 'OLDPWD']);

/** Keeps secret what our own environment calls a secret: whoever is started with it may print it. Places of files are none. */
export function keepOwnEnvironment(environment: NodeJS.ProcessEnv = process.env): void {
  const secrets = Object.entries(environment).filter(
    ([name, value]) => namesSecret(name) && !folders.has(name) && value !== undefined && !existsSync(value),
  );
  keepEnvironment(Object.fromEntries(secrets));
}
