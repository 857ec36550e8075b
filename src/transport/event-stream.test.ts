import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { nowNs } from '../clock.js';
import { parseTarget } from './address.js';
import { ConnectGate } from './connect-gate.js';
import { EventStream } from './event-stream.js';
import { Turn } from './turn.js';

test('a connect is timed from its own beginning: waiting at the gate is none of the server’s doing', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { address } = parseTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, null);
  const gate = new ConnectGate(1);
  gate.enter(() => {});
  const wiring = {
    peer: { address, ip: address.host, secureContext: null, verify: true, connectTimeoutNs: 5e9 },
    gate,
    traffic: { bytesIn: 0, bytesOut: 0, connectRetries: 0, extraConnections: 0, limitsHit: {} },
    turn: new Turn(),
  };
  let connected: (times: { atNs: number; sinceNs: number }) => void = () => {};
  const times = new Promise<{ atNs: number; sinceNs: number }>((resolve) => (connected = resolve));
  const stream = new EventStream(wiring, 'GET /sse HTTP/1.1\r\n\r\n', {
    onStreamConnected: (atNs, sinceNs) => connected({ atNs, sinceNs }),
    onStreamHead: () => {},
    onStreamEvent: () => {},
    onStreamAlive: () => {},
    onStreamClosed: () => {},
  });
  const passedNs = nowNs();
  gate.leave();
  const { atNs, sinceNs } = await times;
  expect(sinceNs).toBeGreaterThanOrEqual(passedNs);
  expect(atNs).toBeGreaterThan(sinceNs);
  stream.destroy();
  await new Promise((resolve) => server.close(resolve));
});
