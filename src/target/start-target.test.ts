import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sampleResult } from '../result/result.fixture.js';
import { startTarget } from './start-target.js';

test('a command is not started where somebody listens already: another server would be measured', async () => {
  const stranger = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const target = { ...sampleResult().scenario.target, url: `http://127.0.0.1:${port}/mcp` };
  const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
  const launch = { kind: 'command', command, cwd: '/', env: {}, inheritEnv: true } as const;
  const answer = await startTarget(launch, target, { readyMs: 3000, givenUp: () => null });
  expect(answer).toMatchObject({ reason: expect.stringMatching(/^somebody listens at its URL/) });
});
