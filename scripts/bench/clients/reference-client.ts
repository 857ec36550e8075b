import { nowNs } from '../../../src/clock.js';
import { Histogram } from '../../../src/stats/histogram.js';
import { programOptions, say } from '../child-program.js';
import { measureWindow, type WindowFigures } from './measured-window.js';
import { echoCall, notification, postRequest } from './messages.js';
import {
  connectPosts,
  type MarkedSocket,
  openRawSession,
  openRawSessions,
  type RawSession,
} from './raw-session.js';

// A program: as little client as possible on plain sockets, so that the server is what is measured.

export interface ReferenceOptions {
  readonly url: string;
  /**
   * plain: notifications to one live session on `lanes` connections, 202 each;
   * pipelined: calls on `lanes` sessions with one POST connection each, several per write;
   * serial: calls on `lanes` sessions with `inFlight` POST connections each, one request per connection at a time.
   */
  readonly mode: 'plain' | 'pipelined' | 'serial';
  readonly lanes: number;
  readonly inFlight: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

export interface ReferenceFigures extends WindowFigures {
  /** Everything sent, warm-up and all, handshakes not. */
  readonly sent: number;
  /** From the write to the answer; only with one request in flight in all. */
  readonly p50Ns: number | null;
}

const options = programOptions<ReferenceOptions>();
const url = new URL(options.url);
const { inFlight } = options;
let running = true;
let sent = 0;
let done = 0;
let idle: () => void = () => {};
const lone = options.lanes === 1 && inFlight === 1;
const latency = new Histogram();
let sentNs = 0;

const start = { plain: startPlain, pipelined: startPipelined, serial: startSerial };
await start[options.mode]();
const window = await measureWindow(options.warmupSeconds, options.seconds, () => done);
running = false;
if (done < sent) await drained();
say({ ...window, sent, p50Ns: lone ? latency.valueAtPercentile(50) : null } satisfies ReferenceFigures);
process.exit(0);

async function startPlain(): Promise<void> {
  const { path } = await openRawSession(url);
  const batches = batchesOf(postRequest(url.host, path, notification));
  const connections = await Promise.all(Array.from({ length: options.lanes }, () => connectPosts(url)));
  for (const connection of connections) keepGoing(connection, connection, batches);
}

function startPipelined(): Promise<void> {
  return openAll(({ stream, post, path }) =>
    keepGoing(stream, post, batchesOf(postRequest(url.host, path, echoCall(1_000_001)))),
  );
}

function startSerial(): Promise<void> {
  return openAll(startSerialSession);
}

async function openAll(use: (session: RawSession) => Promise<void> | void): Promise<void> {
  const [failure] = await openRawSessions(url, options.lanes, use);
  if (failure) throw failure;
}

/** Sends as many again as have been answered, in one write. */
function keepGoing(answers: MarkedSocket, posts: MarkedSocket, batches: readonly Buffer[]): void {
  const { socket } = posts;
  answers.onMarks = (count) => {
    if (lone) latency.record(nowNs() - sentNs);
    done += count;
    if (running) send(count);
    else settle();
  };
  const send = (count: number): void => {
    sent += count;
    if (lone) sentNs = nowNs();
    socket.write(batches[count]!);
  };
  send(inFlight);
}

async function startSerialSession({ stream, post, path }: RawSession): Promise<void> {
  const request = postRequest(url.host, path, echoCall(1_000_001));
  const more = await Promise.all(Array.from({ length: inFlight - 1 }, () => connectPosts(url)));
  const all = [post, ...more];
  const free = [...all];
  let due = inFlight;
  const sendDue = (): void => {
    if (!running) return;
    for (; due > 0 && free.length > 0; due--) {
      sent++;
      // In turn: servers close connections that idle.
      free.shift()!.socket.write(request);
    }
  };
  for (const connection of all)
    connection.onMarks = () => {
      free.push(connection);
      if (due > 0) sendDue();
    };
  stream.onMarks = (count) => {
    done += count;
    due += count;
    if (running) sendDue();
    else settle();
  };
  sendDue();
}

function drained(): Promise<void> {
  return new Promise((resolve, reject) => {
    idle = resolve;
    setTimeout(() => reject(new Error(`${sent} were sent and only ${done} answered`)), 5000).unref();
  });
}

function settle(): void {
  if (done === sent) idle();
}

/** The request once, twice, … as one piece each. */
function batchesOf(request: Buffer): Buffer[] {
  return Array.from({ length: inFlight + 1 }, (_, count) => Buffer.concat(Array(count).fill(request)));
}
