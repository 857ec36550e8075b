import { readFileSync } from 'node:fs';

/** The version of this package. */
export function packageVersion(): string {
  // dist/mock-server and mock-server lie at different depths below package.json.
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as {
        name?: string;
        version: string;
      };
      if (found.name === 'mcp-bench') return found.version;
    } catch {
      // the other depth
    }
  }
  throw new Error('package.json of mcp-bench not found');
}
