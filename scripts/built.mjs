// Builds where needed, then runs a compiled script: node scripts/built.mjs bench/bench-mock --rounds 3
import { join } from 'node:path';
import { ensureBuilt, root, runCommand } from './ready.mjs';

ensureBuilt();
const [script, ...options] = process.argv.slice(2);
process.exit(runCommand(process.execPath, [join(root, 'dist', 'scripts', `${script}.js`), ...options]));
