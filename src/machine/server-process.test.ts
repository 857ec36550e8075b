import { expect, onTestFinished, test } from 'vitest';
import { ServerProcess } from './server-process.js';

const serverThat = (does: string): ServerProcess => {
  const command = [process.execPath, '-e', `${does}; setInterval(() => {}, 1000)`];
  const server = new ServerProcess({ command, cwd: '/', env: process.env });
  onTestFinished(() => server.stop());
  return server;
};

test('of a line that does not end only the last is kept, and known before its end', async () => {
  const server = serverThat("process.stdout.write('x'.repeat(1e6))");
  await expect.poll(() => server.lastWords()).toMatch(/^x+…?$/);
  expect(server.lastWords().length).toBeLessThanOrEqual(300);
});

test('what it says on standard error comes last', async () => {
  const server = serverThat("console.error('no configuration\\ngiving up'); console.log('starting')");
  await expect.poll(() => server.lastWords()).toBe('starting | no configuration | giving up');
});
