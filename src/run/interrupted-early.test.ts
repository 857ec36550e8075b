import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ExitCode } from '../failure.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { executePlan } from './run.js';

const brief: Omit<ScenarioInput, 'target'> = {
  sessions: 1,
  load: { model: 'count', calls: 1 },
  calls: [{ method: 'ping' }],
  timeouts: { handshake: '2s' },
};

/** A run that is ended as soon as it can be. */
const ended = (target: ScenarioInput['target']): Promise<unknown> =>
  executePlan(planScenario({ ...brief, target }), {
    onControls: ({ stop }) => void setImmediate(stop),
  });

const isInterrupted = { exitCode: ExitCode.interrupted, message: expect.stringMatching(/^interrupted/) };

test('while a server is asked what it speaks that never answers', async () => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await expect(ended(`http://127.0.0.1:${port}/mcp`)).rejects.toMatchObject(isInterrupted);
});

test('while a command over stdio is asked that never answers', async () => {
  const command = [process.execPath, '-e', 'process.stdin.resume()'];
  await expect(ended({ command })).rejects.toMatchObject(isInterrupted);
});

test('while a command is waited for that is to listen, and never does', async () => {
  const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
  const url = 'http://127.0.0.1:{port}/mcp';
  await expect(ended({ command, url, transport: 'streamable' })).rejects.toMatchObject(isInterrupted);
});
