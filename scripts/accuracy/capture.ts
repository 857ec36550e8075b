import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One TCP segment with a payload, as the kernel saw it pass; wall-clock nanoseconds since an origin common to one capture. */
export interface Segment {
  readonly atNs: number;
  readonly fromPort: number;
  readonly toPort: number;
  readonly payload: Buffer;
}

/** A capture under way. */
export interface Capture {
  /** Ends it, when all that has passed is written. */
  stop(): Promise<void>;
}

const nanosecondMagic = 0xa1b23c4d;
const globalHeaderBytes = 24;
const recordHeaderBytes = 16;
const ethernetBytes = 14;
const etherTypeIpv4 = 0x0800;
const protocolTcp = 6;
const readyWithinMs = 10_000;

/** Writes what passes on the loopback interface into a file, with the kernel's own timestamps; null where tcpdump is not to be had. */
export async function startCapture(path: string): Promise<Capture | null> {
  const options = ['-i', 'lo', '-n', '-U', '-B', '65536', '--time-stamp-precision=nano'];
  const child = spawn('tcpdump', [...options, '-w', path, 'ip and tcp'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const listening = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), readyWithinMs);
    const answer = (ready: boolean): void => {
      clearTimeout(timer);
      resolve(ready);
    };
    child.on('error', () => answer(false));
    child.on('exit', () => answer(false));
    child.stderr.on('data', (text: Buffer) => {
      if (text.includes('listening on')) answer(true);
    });
  });
  if (!(await listening)) {
    child.kill('SIGKILL');
    return null;
  }
  return {
    stop: async () => {
      if (child.exitCode !== null) throw new Error('tcpdump ended by itself');
      await letPass(path);
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

// tcpdump leaves unread what the kernel still holds when it is stopped: so a word of ours passes last, and is waited for.
async function letPass(path: string): Promise<void> {
  const word = `the last to pass ${process.pid} ${process.hrtime.bigint()}`;
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(word);
  server.close();
  const deadlineMs = performance.now() + readyWithinMs;
  while (!readFileSync(path).includes(word)) {
    if (performance.now() > deadlineMs) throw new Error('tcpdump does not keep up');
    await sleep(50);
  }
}

/** Reads a capture file. */
export function readCapture(path: string): Segment[] {
  return parseCapture(readFileSync(path));
}

/** Reads a capture's bytes: TCP over IPv4 over Ethernet framing, as the loopback interface has it; the rest is passed over. */
export function parseCapture(file: Buffer): Segment[] {
  if (file.length < globalHeaderBytes || file.readUInt32LE(0) !== nanosecondMagic)
    throw new Error('not a capture with nanosecond timestamps, least significant byte first');
  const segments: Segment[] = [];
  let originS = -1;
  for (let at = globalHeaderBytes; at + recordHeaderBytes <= file.length;) {
    const seconds = file.readUInt32LE(at);
    if (originS < 0) originS = seconds;
    const atNs = (seconds - originS) * 1e9 + file.readUInt32LE(at + 4);
    const bytes = file.readUInt32LE(at + 8);
    at += recordHeaderBytes;
    const segment = readFrame(file.subarray(at, at + bytes), atNs);
    if (segment !== null) segments.push(segment);
    at += bytes;
  }
  return segments;
}

function readFrame(frame: Buffer, atNs: number): Segment | null {
  if (frame.length < ethernetBytes + 40 || frame.readUInt16BE(12) !== etherTypeIpv4) return null;
  const ip = frame.subarray(ethernetBytes);
  if (ip[9] !== protocolTcp) return null;
  const tcp = ip.subarray((ip[0]! & 15) * 4, ip.readUInt16BE(2));
  const payload = tcp.subarray((tcp[12]! >> 4) * 4);
  if (payload.length === 0) return null;
  return { atNs, fromPort: tcp.readUInt16BE(0), toPort: tcp.readUInt16BE(2), payload };
}
