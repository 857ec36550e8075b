import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nowNs } from '../../clock.js';
import { type Address, parseTarget } from './address.js';
import { ConnectGate } from './connect-gate.js';
import { EventStream } from './event-stream.js';
import { IdleLimit } from './idle-limit.js';
import { noTraffic, type Traffic } from '../traffic.js';
import { Turn } from '../turn.js';

test('a connect is timed from its own beginning: waiting at the gate is none of the server’s doing', async () => {
  const server = quietServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { address } = parseTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, null);
  const gate = new ConnectGate(1);
  gate.enter(() => {});
  const { stream, connected } = openStream(address, gate, noTraffic());
  const passedNs = nowNs();
  gate.leave();
  const { atNs, sinceNs } = await connected;
  expect(sinceNs).toBeGreaterThanOrEqual(passedNs);
  expect(atNs).toBeGreaterThan(sinceNs);
  stream.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a connect is timed from its last attempt: nor is waiting before we try again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-stream-'));
  const { address } = parseTarget('http://localhost/sse', join(folder, 'socket'));
  const server = quietServer();
  let failedNs = 0;
  const traffic = Object.defineProperty(noTraffic(), 'connectRetries', {
    get: () => 0,
    // The first attempt has failed: the next one is answered.
    set: () => {
      failedNs = nowNs();
      server.listen(address.unixSocket);
    },
  });
  const { stream, connected } = openStream(address, new ConnectGate(1), traffic);
  const { atNs, sinceNs } = await connected;
  expect(sinceNs).toBeGreaterThan(failedNs);
  expect(atNs).toBeGreaterThan(sinceNs);
  stream.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function quietServer(): Server {
  return createServer((socket) => socket.on('error', () => {}).resume());
}

function openStream(
  address: Address,
  gate: ConnectGate,
  traffic: Traffic,
): { stream: EventStream; connected: Promise<{ atNs: number; sinceNs: number }> } {
  const peer = { address, ip: address.host, secureContext: null, verify: true, connectTimeoutNs: 5e9 };
  let onConnected: (times: { atNs: number; sinceNs: number }) => void = () => {};
  const connected = new Promise<{ atNs: number; sinceNs: number }>((resolve) => (onConnected = resolve));
  const stream = new EventStream(
    { peer, gate, traffic, idleLimit: new IdleLimit(), turn: new Turn() },
    'GET /sse HTTP/1.1\r\n\r\n',
    {
      onStreamConnected: (atNs, sinceNs) => onConnected({ atNs, sinceNs }),
      onStreamHead: () => {},
      onStreamEvent: () => {},
      onStreamAlive: () => {},
      onStreamClosed: () => {},
    },
  );
  return { stream, connected };
}
