import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// These keep both cores busy: tests that measure something must not run beside them.
const crowded = [
  'src/e2e/hostile/arbitrary-server.test.ts',
  'src/e2e/hostile/hostile.test.ts',
  'src/e2e/hostile/hostile-text.test.ts',
  'src/e2e/hostile/hostile-tools.test.ts',
  'src/e2e/hostile/secrets.test.ts',
];

// What changes its process, or weighs it: mocks, clocks, the environment, children, memory.
const changesItsProcess =
  /\bvi\.(mock|doMock|hoisted|spyOn|stub\w+|useFakeTimers)\b|process\.(env\S* ?=[^=]|chdir|umask|exitCode|argv ?=|on\()|child_process|worker_threads|memoryUsage|e2e\/fixtures/;

const all = ['src', 'mock-server', 'scripts'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `${room}/${path}`),
);
const pure = all.filter(
  (path) => !path.startsWith('src/e2e/') && !changesItsProcess.test(readFileSync(path, 'utf8')),
);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: all.filter((path) => !crowded.includes(path) && !pure.includes(path)),
          // Of two cores: they wait for half of their time.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // A process for each of these files would cost more than its tests.
        test: {
          name: 'pure',
          include: pure,
          isolate: false,
          setupFiles: ['scripts/fresh-modules.setup.mjs'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'crowded', include: crowded, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
