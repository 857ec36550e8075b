// Writes docs/result.schema.json from the zod schema; run it when the schema has changed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root, runTool } from './ready.mjs';

ensureBuilt();
const { resultJsonSchema } = await import('../dist/src/result/result-json-schema.js');
const file = join(root, 'docs', 'result.schema.json');
writeFileSync(file, JSON.stringify(resultJsonSchema()));
process.exit(runTool('oxfmt', [file]));
