import { configDefaults, defineConfig } from 'vitest/config';

// These start as many processes as both cores can bear: tests that measure something must not run beside them.
const crowded = [
  'src/e2e/hostile/arbitrary-server.test.ts',
  'src/e2e/hostile/hostile.test.ts',
  'src/e2e/hostile/hostile-text.test.ts',
  'src/e2e/hostile/hostile-tools.test.ts',
  'src/e2e/hostile/secrets.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.ts', 'mock-server/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...crowded],
          // Two cores: more test processes than that only make each other late.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'crowded', include: crowded, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
