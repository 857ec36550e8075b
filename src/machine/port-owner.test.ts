import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { portOwners } from './port-owner.js';
import { ProcessTree } from './process-tree.js';

const hasProc = existsSync('/proc/self/stat');
const listener = `
  const { createServer } = require('node:net');
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  process.on('SIGTERM', () => { child.kill(); process.exit(); });
  const server = createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

test.runIf(hasProc)(
  'whoever listens on a port is found, with what it started, and not its parents',
  async () => {
    const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
      expect(portOwners('127.0.0.1', port)).toEqual([child.pid]);
      const tree = ProcessTree.from([child.pid!]);
      expect(tree.members()).toContain(child.pid);
      expect(tree.members()).toHaveLength(2);
      expect(tree.members()).not.toContain(process.pid);
      expect(tree.read()!.rssBytes).toBeGreaterThan(1e6);
      // Another machine's port of the same number is nobody's here.
      expect(portOwners('192.0.2.1', port)).toEqual([]);
    } finally {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await gone;
    }
  },
);

test('a port that nobody listens on has no owner', () => {
  expect(portOwners('127.0.0.1', 1)).toEqual([]);
});
