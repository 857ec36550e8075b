import { PerformanceObserver, constants } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { youngGarbage } from './young-garbage.js';

interface GcEntry {
  readonly detail: { readonly kind: number };
}

test('only the young garbage is collected, and nothing else gets a gc()', async () => {
  const collect = youngGarbage();
  expect(collect, 'this Node can').not.toBeNull();
  const kinds = new Set<number>();
  const heard = new Promise<void>((resolve) => {
    new PerformanceObserver((list, observer) => {
      for (const entry of list.getEntries()) kinds.add((entry as unknown as GcEntry).detail.kind);
      observer.disconnect();
      resolve();
    }).observe({ entryTypes: ['gc'] });
  });
  collect!();
  await heard;
  expect([...kinds]).toContain(constants.NODE_PERFORMANCE_GC_MINOR);
  expect(kinds).not.toContain(constants.NODE_PERFORMANCE_GC_MAJOR);
  expect('gc' in globalThis).toBe(false);
});
