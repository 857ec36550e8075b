// Writes scenarios/scenario.schema.json from the zod schema; run it when the schema has changed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root, runTool } from './ready.mjs';

ensureBuilt();
const { scenarioJsonSchema } = await import('../dist/src/scenario/json-schema.js');
const file = join(root, 'scenarios', 'scenario.schema.json');
writeFileSync(file, JSON.stringify(scenarioJsonSchema()));
process.exit(runTool('oxfmt', [file]));
