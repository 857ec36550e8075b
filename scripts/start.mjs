// `npm start`: set-up, then the main job.
import { join } from 'node:path';
import { ensureBuilt, root, runCommand } from './ready.mjs';

ensureBuilt();
process.exit(
  runCommand(process.execPath, [
    join(root, 'dist/src/cli/main.js'),
    'run',
    'scenarios/burst.yaml',
    ...process.argv.slice(2),
  ]),
);
