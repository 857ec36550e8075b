import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the package, so that its own name can be imported as a user would.
const folder = mkdtempSync(join(root, 'dist', 'example-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the library example of the README runs as it stands', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const code = /<!-- example:library -->\s*```js\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(code).toBeDefined();
  const file = join(folder, 'example.mjs');
  writeFileSync(file, code!);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toMatch(/^200 of 200 calls ok, p99 [\d.]+ ms\n$/);
});
