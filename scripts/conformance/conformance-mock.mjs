// The mock that the suite is let loose on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../ready.mjs';

const cli = join(root, 'dist', 'src', 'cli', 'main.js');

/** The mocks that are tried: each engine as it is, and one with everything that a server may do about streams. */
export const mocks = [
  { name: 'uws', engine: 'uws', settings: [] },
  { name: 'node', engine: 'node', settings: [] },
  {
    name: 'node, streams',
    engine: 'node',
    settings: ['body=sse', 'eventIds=true', 'prime=empty', 'retry=500ms', 'storedEvents=100'],
  },
];

/** `serve-mock --conformance`: its endpoint and how to stop it, or why this machine has not got its engine. */
export async function startMock({ engine, settings }) {
  const words = ['serve-mock', '--conformance', '--port', '0', '--json', '--engine', engine];
  for (const setting of settings) words.push('--set', `streamable.${setting}`);
  const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line').then(([line]) => line), ended.then(() => undefined)]);
  if (first === undefined) {
    if (engine === 'uws' && complaint.includes('uWebSockets')) return { missing: complaint.trim() };
    throw new Error(`the mock does not start: ${complaint}`);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { mock: { url: new URL('/mcp', JSON.parse(first).url).href, stop } };
}
