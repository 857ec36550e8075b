import { createParser } from 'eventsource-parser';
import { Client, type Dispatcher, Pool } from 'undici';
import { nowNs } from '../../clock.js';
import type { Plan } from '../../scenario/plan.js';
import type { CloseReason } from '../../transport/http/close-reason.js';
import type { PostChannel } from '../../transport/http/post-channel.js';
import { connectionsPerSession } from '../../transport/http/connections-per-session.js';
import { SseTransport } from '../../transport/sse/sse-transport.js';
import type { StreamHandle, StreamHandler } from '../../transport/http/stream-handler.js';
import type { SseWire } from '../../transport/sse/sse-wire.js';
import { noTraffic } from '../../transport/traffic.js';
import type { Outgoing, Refusal, Transport } from '../../transport/transport.js';

/** HTTP+SSE over undici: what `createSseTransport` is over our own sockets. */
export function createUndiciTransport(plan: Plan): Transport {
  return new SseTransport(new UndiciWire(plan), plan.target);
}

/**
 * What carries HTTP+SSE once more, on undici and eventsource-parser: nothing of our sockets and parsers is in it, so that what both
 * count alike is not an error of ours. Plain HTTP to the target's own origin; bytes and retries are not counted.
 */
class UndiciWire implements SseWire {
  readonly traffic = noTraffic();
  private readonly origin: string;
  private readonly sharedPool: Dispatcher | null;

  constructor(private readonly plan: Plan) {
    this.origin = new URL(plan.target.url).origin;
    const { posts } = plan;
    this.sharedPool =
      posts.mode === 'shared' ? new Pool(this.origin, { connections: posts.connections, ...patient }) : null;
  }

  openStream(path: string, handler: StreamHandler): StreamHandle {
    return new UndiciStream(this.origin, path, this.plan.target.headers, handler);
  }

  openPosts(path: string, address: unknown): PostChannel {
    if (address !== null) throw new Error('the twin knows one origin only');
    return new UndiciPosts(
      this.sharedPool ?? this.ownDispatcher(),
      path,
      this.plan,
      this.sharedPool === null,
    );
  }

  close(): void {
    void this.sharedPool?.destroy();
  }

  private ownDispatcher(): Dispatcher {
    const { posts } = this.plan;
    return posts.mode === 'pipelined'
      ? new Pool(this.origin, { connections: posts.connections, ...patient, pipelining: 1000 })
      : new Pool(this.origin, { connections: connectionsPerSession(this.plan), ...patient });
  }
}

// The engine has time limits of its own.
const patient = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 } as const;
const ended = new Error('the session ended');

class UndiciStream implements StreamHandle {
  private readonly client: Client;
  private over = false;
  private unfinished = false;

  constructor(
    origin: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    private readonly handler: StreamHandler,
  ) {
    this.client = new Client(origin, patient);
    const decoder = new TextDecoder();
    const sinceNs = nowNs();
    let readAtNs = 0;
    const parser = createParser({
      onEvent: ({ event = '', data }) => {
        const bytes = Buffer.from(data);
        if (!this.over) handler.onStreamEvent(event, bytes, 0, bytes.length, readAtNs);
      },
    });
    this.client.dispatch(
      { method: 'GET', path, headers: { ...headers, accept: 'text/event-stream' } },
      {
        onRequestStart: () => handler.onStreamConnected(nowNs(), sinceNs),
        onResponseStart: (_, status, { 'content-type': type }) =>
          handler.onStreamHead(status, String(type ?? ''), '', nowNs()),
        onResponseData: (_, chunk) => {
          if (this.over) return;
          readAtNs = nowNs();
          handler.onStreamAlive(readAtNs);
          const text = decoder.decode(chunk, { stream: true });
          this.unfinished = !/(\n\n|\r\r|\r\n\r\n)$/.test(text);
          parser.feed(text);
        },
        onResponseEnd: () => this.close('ended', 'the server ended the stream'),
        onResponseError: (_, error) => this.close('reset', error.message),
      },
    );
  }

  destroy(): void {
    this.over = true;
    void this.client.destroy();
  }

  private close(kind: CloseReason['kind'], message: string): void {
    if (this.over) return;
    this.destroy();
    this.handler.onStreamClosed({ kind, message, truncated: this.unfinished }, nowNs());
  }
}

class UndiciPosts implements PostChannel {
  private readonly underWay = new Map<Outgoing, UndiciPost>();

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly path: string,
    private readonly plan: Plan,
    private readonly ownsDispatcher: boolean,
  ) {}

  post(body: string, by: Outgoing): void {
    const post = new UndiciPost(by, () => this.underWay.delete(by));
    this.underWay.set(by, post);
    const headers = {
      ...this.plan.target.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    // Of a POST undici pipelines only what it is told to be idempotent.
    const idempotent = this.plan.posts.mode === 'pipelined';
    this.dispatcher.dispatch({ method: 'POST', path: this.path, headers, body, idempotent }, post);
  }

  flush(): void {}

  prepare(): boolean {
    return true;
  }

  withdraw(by: Outgoing): boolean {
    return this.underWay.get(by)?.withdraw() ?? false;
  }

  giveUp(by: Outgoing): void {
    // On a pipelined connection the other messages may still be answered.
    if (!this.withdraw(by) && this.plan.posts.mode !== 'pipelined') this.underWay.get(by)?.giveUp();
  }

  destroy(): void {
    for (const post of this.underWay.values()) post.leave();
    if (this.ownsDispatcher) void this.dispatcher.destroy();
  }
}

class UndiciPost implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private withdrawn = false;
  private json: Buffer[] | null = null;

  constructor(
    private by: Outgoing | null,
    private readonly onOver: () => void,
  ) {}

  withdraw(): boolean {
    if (this.controller !== null) return false;
    this.withdrawn = true;
    this.release();
    return true;
  }

  giveUp(): void {
    this.controller?.abort(new Error('given up'));
  }

  /** Its session has gone: what was not handed over never will be, and nobody waits for the answer to the rest. */
  leave(): void {
    const { controller } = this;
    this.withdrawn = controller === null;
    this.fail(this.withdrawn, ended.message);
    controller?.abort(ended);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.withdrawn) {
      controller.abort(ended);
      return;
    }
    this.controller = controller;
    // Its connections are undici's own business: what their making takes is not told apart.
    this.by?.onSent(nowNs(), 0, 0, 0);
  }

  onResponseStart(
    _: unknown,
    status: number,
    { 'content-type': type }: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    if (status < 300 && String(type).startsWith('application/json')) this.json = [];
    if (status < 300) this.by?.onAccepted('', 'none', nowNs());
    else this.by?.onRefused(refusalOf(status), nowNs());
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.json?.push(chunk);
  }

  onResponseEnd(): void {
    const body = this.json === null ? null : Buffer.concat(this.json);
    const { by } = this;
    this.release();
    if (body !== null && body.length > 0) by?.onReply(body, nowNs());
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(this.controller === null, error.message);
  }

  private fail(unsent: boolean, message: string): void {
    const { by } = this;
    this.release();
    by?.onFailed(unsent, message, nowNs());
  }

  private release(): void {
    this.by = null;
    this.onOver();
  }
}

function refusalOf(status: number): Refusal {
  return { status, kind: `http ${status}`, text: `was answered ${status}`, serverIsThere: status < 500 };
}
