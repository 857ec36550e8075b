// The package as it would be published.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ready.mjs';
import { runLimited } from './run-limited.mjs';

/** Packs the built package into a folder and returns the path of the tarball. */
export async function pack(folder, limitMs) {
  const { code, output } = await runLimited('npm', ['pack', '--pack-destination', folder], {
    cwd: root,
    limitMs,
  });
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (code !== 0 || name === undefined) throw new Error(`npm pack failed:\n${output}`);
  return join(folder, name);
}
