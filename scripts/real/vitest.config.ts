import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['scripts/real/*.real.ts'],
    // One server at a time: they would take the two cores from each other and from the generator.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 90_000,
  },
});
