import type { CallLog } from './calls/call-log.js';
import type { MockConfigInput } from './config/config.js';
import type { HttpReply } from './http/http-reply.js';
import { checkConfig } from './config/load-config.js';
import type { Loop } from './time/loop.js';
import { MockApp } from './mock-app.js';
import { Router, sessionKeyOf } from './http/router.js';
import { Stream } from './sessions/stream.js';
import type { StreamSink } from './sessions/stream.js';
import { Usage } from './threads/usage.js';

/** An event loop that stands still until it is told to go on: for tests of the core. */
export class ManualLoop implements Loop {
  readonly originNs = 0n;
  stalledMs: number[] = [];

  /** How many timers are set. */
  get scheduled(): number {
    return this.timers.length;
  }

  private timeNs = 0;
  private soonQueue: (() => void)[] = [];
  private timers: { dueNs: number; run: () => void }[] = [];

  nowNs(): number {
    return this.timeNs;
  }

  wallClock(): Date {
    return new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + this.timeNs / 1e6);
  }

  soon(run: () => void): void {
    this.soonQueue.push(run);
  }

  after(ms: number, run: () => void): unknown {
    const timer = { dueNs: this.timeNs + ms * 1e6, run };
    this.timers.push(timer);
    return timer;
  }

  clear(timer: unknown): void {
    this.timers = this.timers.filter((one) => one !== timer);
  }

  stall(ms: number): void {
    this.stalledMs.push(ms);
    this.timeNs += ms * 1e6;
  }

  /** Ends this turn of the loop. */
  turn(): void {
    while (this.soonQueue.length > 0) for (const run of this.soonQueue.splice(0)) run();
  }

  /** Lets time pass, with everything that falls due on the way. */
  pass(ms: number): void {
    const endNs = this.timeNs + ms * 1e6;
    this.turn();
    for (;;) {
      const next = this.timers.filter(({ dueNs }) => dueNs <= endNs).sort((a, b) => a.dueNs - b.dueNs)[0];
      if (!next) break;
      this.clear(next);
      this.timeNs = Math.max(this.timeNs, next.dueNs);
      next.run();
      this.turn();
    }
    this.timeNs = Math.max(this.timeNs, endNs);
  }
}

/** A stream as the core sees it, that keeps what was written. */
export class RecordingSink implements StreamSink {
  readonly writes: Buffer[] = [];
  ended: 'open' | 'end' | 'destroyed' = 'open';
  /** What `write` answers. */
  takes = true;
  refused: HttpReply | null = null;
  /** The head has been sent alone. */
  started = false;

  get text(): string {
    return Buffer.concat(this.writes).toString();
  }

  /** The JSON-RPC messages among the events, however they are framed. */
  get messages(): Record<string, unknown>[] {
    const found = this.text.matchAll(/data: ?(\{"jsonrpc"[^\r\n]*)[\r\n]/g);
    return [...found].map(([, json]) => JSON.parse(json!) as Record<string, unknown>);
  }

  refuse(reply: HttpReply): void {
    this.refused = reply;
  }

  start(): void {
    this.started = true;
  }

  write(chunk: string | Uint8Array): boolean {
    this.writes.push(Buffer.from(chunk as Uint8Array));
    return this.takes;
  }

  end(last?: string): void {
    if (last !== undefined) this.writes.push(Buffer.from(last));
    this.ended = 'end';
  }

  destroy(): void {
    this.ended = 'destroyed';
  }
}

/** One session on a core: a stream that is recorded, and POSTs whose answers are. */
export interface CoreSession {
  readonly sink: RecordingSink;
  readonly stream: Stream;
  readonly path: string;
  /** POSTs a body; the returned list gets the answer when it comes. */
  post(body: object | string): HttpReply[];
  /** POSTs a tools/call of echo. */
  echo(id: string | number): HttpReply[];
}

/** A mock without an engine, on a loop that stands still, with session ids 000…1, 000…2 and so on. */
export function coreOf(config: MockConfigInput = {}, log: (loop: Loop) => CallLog | null = () => null) {
  const loop = new ManualLoop();
  let sessions = 0;
  const app = new MockApp(
    checkConfig(config, () => 'test'),
    {
      loop,
      thread: { index: 0, count: 1 },
      usage: new Usage(),
      newSessionHex: () => String(++sessions).padStart(32, '0'),
      version: '0.0.0-test',
      baseUrl: () => 'http://127.0.0.1:1',
      log: log(loop),
    },
  );
  const router = new Router(app, true);
  const open = (path = app.sites[0]!.streamPath): CoreSession => {
    const sink = new RecordingSink();
    const route = router.find('get', path, 'localhost:8765', '', '');
    const stream = app.life.open(route, 'localhost:8765', sink);
    if (!(stream instanceof Stream)) throw new Error(`refused with ${stream.status}`);
    const { site, id } = stream.session;
    const postPath = site.dialect.sessionParam === '' ? path : site.messagesPath;
    const key = sessionKeyOf(
      router.find('post', postPath, 'localhost', '', 'application/json'),
      `${site.dialect.sessionParam}=${id}`,
    );
    const post = (body: object | string): HttpReply[] => {
      const replies: HttpReply[] = [];
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = (reply: HttpReply): number => {
        replies.push(reply);
        return reply.status;
      };
      app.receive(
        { answer },
        router.find('post', postPath, 'localhost', '', 'application/json'),
        key,
        text,
        text.length,
      );
      return replies;
    };
    const echo = (callId: string | number): HttpReply[] =>
      post({
        jsonrpc: '2.0',
        id: callId,
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: String(callId) } },
      });
    return { sink, stream, path: postPath, post, echo };
  };
  return { app, loop, router, open };
}
