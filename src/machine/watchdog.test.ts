import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ProcessTree } from './process-tree.js';
import { Watchdog } from './watchdog.js';

/** A group with a leader and another in it, and one that left it: their ids. */
async function startGroup(): Promise<{ leader: number; all: number[]; ended: Promise<unknown> }> {
  const script = `
    const { spawn } = require('node:child_process');
    const one = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const away = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
    console.log(JSON.stringify([process.pid, one.pid, away.pid]));
  `;
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { leader: child.pid!, all: JSON.parse(line) as number[], ended };
}

const noneLeft = (pids: readonly number[]): boolean => ProcessTree.from(pids).members()?.length === 0;

test('once it is let go it kills the groups that it still watches, and who left them', async () => {
  const watchdog = new Watchdog();
  const [kept, killed] = [await startGroup(), await startGroup()];
  watchdog.watch(kept.leader);
  watchdog.watch(killed.leader);
  watchdog.forget(kept.leader);
  watchdog.close();
  await killed.ended;
  await expect.poll(() => noneLeft(killed.all)).toBe(true);
  expect(ProcessTree.from(kept.all).members(), 'one that was forgotten is nobody’s business').toHaveLength(3);
  for (const pid of kept.all) process.kill(pid, 'SIGKILL');
  await kept.ended;
});

test('it outlives a program that is killed, and ends what that had started', async () => {
  const url = new URL('../../dist/src/machine/watchdog.js', import.meta.url);
  const script = `
    const { spawn } = require('node:child_process');
    import(${JSON.stringify(fileURLToPath(url))}).then(({ Watchdog }) => {
      const watchdog = new Watchdog();
      // Deaf to the end of its input, and to all that can be ignored.
      const server = spawn('sh', ['-c', 'trap "" INT TERM HUP; while :; do sleep 1; done'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
      watchdog.watch(server.pid);
      console.log(server.pid);
      setInterval(() => {}, 1000);
    });
  `;
  const program = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
  const pid = Number(line);
  expect(noneLeft([pid])).toBe(false);
  program.kill('SIGKILL');
  await once(program, 'exit');
  await expect.poll(() => noneLeft([pid])).toBe(true);
});
