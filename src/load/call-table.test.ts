import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallTable } from './call-table.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

test('finds, takes out and lists what a Map would', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('add', 'remove', 'find'), fc.integer({ min: 1, max: 300 })),
    {
      maxLength: 2000,
    },
  );
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 2, 64, 4096), (given, stride) => {
      const table = new CallTable<{ id: number }>();
      const map = new Map<number, { id: number }>();
      for (const [step, number] of given) {
        const id = number * stride;
        if (step === 'add' && !map.has(id)) {
          const item = { id };
          map.set(id, item);
          table.add(item);
        } else if (step === 'remove') expect(table.remove(id)).toBe(map.delete(id));
        else expect(table.find(id)).toBe(map.get(id));
        expect(table.size).toBe(map.size);
      }
      expect(table.all()).toEqual([...map.values()].sort((a, b) => a.id - b.id));
    }),
  );
});

test('keeps ids beyond 32 bits apart', () => {
  const table = new CallTable<{ id: number }>();
  const items = [5, 5 + 2 ** 32, 5 + 2 ** 33].map((id) => ({ id }));
  for (const item of items) table.add(item);
  expect(items.map(({ id }) => table.find(id))).toEqual(items);
  expect(table.remove(5 + 2 ** 32)).toBe(true);
  expect(items.map(({ id }) => table.find(id))).toEqual([items[0], undefined, items[2]]);
});

/** How many bytes the garbage collector's quick passes promote while 400 items come and go, once those of a moment have grown old. */
function promotedBytes(prepare: string): number {
  const program = `
    const { CallTable } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/src/load/call-table.js')).href)});
    ${prepare}
    let id = 0;
    const run = (count) => {
      for (let i = 0; i < count; i++) {
        if (id >= 400) remove(id - 399);
        add({ id: ++id, more: [id, id + 0.5, 'text' + id] });
      }
    };
    run(100_000);
    for (let i = 0; i < 3; i++) gc({ type: 'minor' });
    console.log('---');
    run(1_000_000);
  `;
  const flags = ['--expose-gc', '--trace-gc', '--trace-gc-nvp', '--input-type=module', '-e', program];
  const [, text = ''] = execFileSync(process.execPath, flags, { encoding: 'utf8' }).split('---\n');
  const passes = [...text.matchAll(/ gc=s .* promoted=(\d+)/g)];
  expect(passes.length).toBeGreaterThan(2);
  return passes.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

test('lets what was taken out of it die young, as a Map does not', () => {
  const ofMap = promotedBytes(
    'const map = new Map(), add = (item) => map.set(item.id, item), remove = (id) => map.delete(id);',
  );
  const own = promotedBytes(
    'const table = new CallTable(), add = (item) => table.add(item), remove = (id) => table.remove(id);',
  );
  expect(own).toBeLessThan(ofMap / 10);
});
