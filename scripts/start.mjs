// `npm start`: set-up, then the main job.
import { join } from 'node:path';
import { ensureBuilt, root, runCommand } from './ready.mjs';

ensureBuilt();
const given = process.argv.slice(2);
// Real tools take their time: what calls wait for shall be the tools, and not the writing of a burst.
const tools = given.some((word) => word.startsWith('--target'))
  ? []
  : ['--mock', 'latency=lognormal(400ms,0.5)'];
process.exit(
  runCommand(process.execPath, [
    join(root, 'dist/src/cli/main.js'),
    'run',
    'scenarios/burst.yaml',
    ...tools,
    ...given,
  ]),
);
