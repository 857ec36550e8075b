import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ConnectGate } from './connect-gate.js';
import type { Wiring } from './connection.js';
import { parseTarget } from './address.js';
import { IdleLimit } from './idle-limit.js';
import { noTraffic } from '../traffic.js';
import type { Outgoing, Refusal } from '../transport.js';
import { Turn } from '../turn.js';

/** Wakes whoever waits for something to become true, each time that something happened. */
class Bell {
  private waiting: (() => boolean)[] = [];

  ring(): void {
    this.waiting = this.waiting.filter((woken) => !woken());
  }

  until(isTrue: () => boolean): Promise<void> {
    if (isTrue()) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(() => {
        if (!isTrue()) return false;
        resolve();
        return true;
      });
    });
  }
}

/** A POST that has arrived, and how to answer it. */
export interface ArrivedPost {
  readonly body: string;
  /** Which connection it came on: 0 is the first that was accepted. */
  readonly connection: number;
  readonly socket: Socket;
  /** The chunk of this connection that completed it: of posts in one write the same. */
  readonly chunk: number;
  answer(head?: string, body?: string): void;
}

/** A server that answers nothing by itself: each answer, and each end of a connection, is the test's doing. */
export class HeldServer {
  readonly sockets: Socket[] = [];
  readonly posts: ArrivedPost[] = [];
  closed = 0;
  private readonly bell = new Bell();
  private readonly server: Server;

  constructor() {
    this.server = createServer((socket) => this.accept(socket));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  until(isTrue: (server: this) => boolean): Promise<void> {
    return this.bell.until(() => isTrue(this));
  }

  /** The post with this body, once it is here. */
  async post(body: string): Promise<ArrivedPost> {
    const find = () => this.posts.find((post) => post.body === body);
    await this.bell.until(() => find() !== undefined);
    return find()!;
  }

  /** Refuses new connections; those that stand go on. */
  stopListening(): void {
    this.server.close();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    const connection = this.sockets.push(socket) - 1;
    let [bytes, chunk] = [Buffer.alloc(0), 0];
    socket.on('error', () => {});
    socket.on('data', (more) => {
      chunk++;
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const head = bytes.indexOf('\r\n\r\n');
        if (head < 0) break;
        const end = head + 4 + Number(/Content-Length: (\d+)/.exec(bytes.toString('latin1', 0, head))?.[1]);
        if (!(bytes.length >= end)) break;
        const body = bytes.toString('utf8', head + 4, end);
        this.posts.push({
          body,
          connection,
          socket,
          chunk,
          answer: (lines = '202 Accepted', text = '') =>
            socket.write(`HTTP/1.1 ${lines}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
        });
        bytes = bytes.subarray(end);
      }
      this.bell.ring();
    });
    socket.on('close', () => {
      this.closed++;
      this.bell.ring();
    });
    this.bell.ring();
  }
}

/** Writes down what becomes of one message. */
export class Letter implements Outgoing {
  readonly heard: string[] = [];
  private readonly bell = new Bell();

  readonly answered = false;

  onSent(): void {
    this.note('sent');
  }

  onAccepted(note: string): void {
    this.note(`accepted${note}`);
  }

  onRefused({ status, text }: Refusal): void {
    this.note(`refused ${status}: ${text}`);
  }

  onReply(body: Buffer): void {
    this.note(`body ${body.toString()}`);
  }

  onFirstMessage(): void {
    this.note('first message');
  }

  onReplyEnded(): void {
    this.note('reply ended');
  }

  onFailed(unsent: boolean, message: string): void {
    this.note(`${unsent ? 'unsent' : 'failed'}: ${message}`);
  }

  /** All that was heard, once that is so many things. */
  async hears(count: number): Promise<readonly string[]> {
    await this.bell.until(() => this.heard.length >= count);
    return this.heard;
  }

  private note(what: string): void {
    this.heard.push(what);
    this.bell.ring();
  }
}

/** Counts the connections that ask to be let through, and those that are through. */
export class WatchedGate extends ConnectGate {
  entered = 0;
  left = 0;
  private readonly bell = new Bell();

  override enter(start: () => void): void {
    this.entered++;
    super.enter(start);
  }

  override leave(): void {
    super.leave();
    this.left++;
    // Not at once: whoever leaves has more to do.
    setImmediate(() => this.bell.ring());
  }

  until(isTrue: (gate: this) => boolean): Promise<void> {
    return this.bell.until(() => isTrue(this));
  }
}

/** What connections to a server of this machine need. */
export function wiringTo(
  url: string,
  more: Partial<Wiring> & { gate: WatchedGate; unixSocket?: string },
): Wiring {
  const { address } = parseTarget(url, more.unixSocket ?? null);
  return {
    peer: { address, ip: address.host, secureContext: null, verify: false, connectTimeoutNs: 5e9 },
    traffic: noTraffic(),
    idleLimit: new IdleLimit(),
    turn: new Turn(),
    ...more,
  };
}
