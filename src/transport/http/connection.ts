import type { Socket } from 'node:net';
import { nowNs } from '../../clock.js';
import { WireError } from '../../wire/wire-error.js';
import type { ConnectGate } from './connect-gate.js';
import type { IdleLimit } from './idle-limit.js';
import { isOwnLimit, openSocket, type Peer, type SocketHandler } from './socket.js';
import type { Traffic } from '../traffic.js';
import type { Reader } from '../held-reads.js';
import type { CloseReason } from './close-reason.js';
import type { Turn } from '../turn.js';

/** What all connections of one worker share. */
export interface Wiring {
  readonly peer: Peer;
  readonly gate: ConnectGate;
  readonly traffic: Traffic;
  readonly idleLimit: IdleLimit;
  readonly turn: Turn;
}

const maxAttempts = 4;
const firstRetryMs = 100;

/**
 * One HTTP connection's socket: passes the gate, connects with a time limit, tries again with back-off, and counts it.
 * What the bytes mean is the subclass's business. Whatever it throws while it reads them ends this connection and nothing
 * else: a WireError as a protocol error, anything else as an internal one.
 */
export abstract class Connection implements SocketHandler, Reader {
  protected socket: Socket | null = null;
  private attempts = 0;
  private inGate = false;
  private timer: NodeJS.Timeout | null = null;
  private connected = false;
  private gone = false;
  /** What its bytes led to. */
  private fault: { readonly kind: 'protocol' | 'internal'; readonly message: string } | null = null;
  /** When the latest attempt to connect began: waits at the gate and between attempts are our own doing. */
  protected connectStartNs = 0;
  /** When it was asked for, and since when it stands; 0 before. */
  protected readonly askedNs = nowNs();
  protected stoodNs = 0;
  /** When the bytes at hand were found to be there. */
  protected readAtNs = 0;

  constructor(
    protected readonly wiring: Wiring,
    /** How long it may keep the gate after the connect: a server that holds answers back must not keep others from connecting. */
    private readonly gateHoldMs: number,
  ) {}

  protected abstract onOpen(): void;
  protected abstract onBytes(chunk: Buffer): void;
  /** The connection is over, once; never after `destroy`. */
  protected abstract onGone(reason: CloseReason): void;

  protected open(): void {
    this.wiring.gate.enter(() => this.connect());
  }

  /** The server has answered something: the next connection may start. */
  protected answered(): void {
    if (!this.inGate) return;
    this.inGate = false;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.wiring.gate.leave();
  }

  protected write(text: string, encoding: BufferEncoding, bytes: number): void {
    this.wiring.traffic.bytesOut += bytes;
    this.socket?.write(text, encoding);
  }

  /** Lets the socket go away at once and says nothing more. */
  destroy(): void {
    if (this.gone) return;
    this.gone = true;
    this.answered();
    if (this.timer !== null) clearTimeout(this.timer);
    this.socket?.destroy();
  }

  get isGone(): boolean {
    return this.gone;
  }

  private connect(): void {
    if (this.gone) {
      this.wiring.gate.leave();
      return;
    }
    this.inGate = true;
    this.attempts++;
    this.connectStartNs = nowNs();
    const limitMs = this.wiring.peer.connectTimeoutNs / 1e6;
    this.timer = setTimeout(() => {
      const error: NodeJS.ErrnoException = new Error(`no connection within ${limitMs} ms`);
      error.code = 'ETIMEDOUT';
      this.socket?.destroy(error);
    }, limitMs);
    this.socket = openSocket(this.wiring.peer, this);
  }

  onSocketConnected(): void {
    if (this.gone) return;
    this.connected = true;
    this.stoodNs = nowNs();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.answered(), this.gateHoldMs);
    this.timer.unref();
    this.onOpen();
  }

  onSocketData(chunk: Buffer): void {
    if (this.gone) return;
    const atNs = nowNs();
    const { turn, traffic } = this.wiring;
    turn.beginRead(atNs);
    traffic.bytesIn += chunk.length;
    if (this.inGate) this.answered();
    if (turn.held.keeping) turn.keepRead(this, chunk, atNs);
    else this.onHeldRead(chunk, atNs);
  }

  onHeldRead(chunk: Buffer, atNs: number): void {
    if (this.gone) return;
    this.readAtNs = atNs;
    try {
      this.onBytes(chunk);
    } catch (error) {
      this.noteFault(error);
      this.socket?.destroy();
    }
  }

  /** Keeps what was thrown while the server's bytes were read: what is not the server's fault is a bug, and must be seen. */
  protected noteFault(error: unknown): void {
    if (error instanceof WireError) {
      this.fault = { kind: 'protocol', message: error.message };
      return;
    }
    const { internalErrors } = this.wiring.traffic;
    const message = `mcp-bench failed on what the server sent: ${describe(error)}`;
    if (internalErrors.count++ === 0) internalErrors.example = message;
    this.fault = { kind: 'internal', message };
  }

  onSocketClosed(error: NodeJS.ErrnoException | null): void {
    // What it said before comes before its end.
    this.wiring.turn.held.handleAll();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.answered();
    if (this.gone) return;
    if (isOwnLimit(error?.code)) this.countLimit(error!.code!);
    if (!this.connected && this.attempts < maxAttempts && !isTlsError(error)) {
      this.wiring.traffic.connectRetries++;
      this.timer = setTimeout(() => this.open(), firstRetryMs * 4 ** (this.attempts - 1));
      return;
    }
    this.gone = true;
    this.readAtNs = nowNs();
    this.onGone(this.reasonFor(error));
  }

  private countLimit(code: string): void {
    const { limitsHit } = this.wiring.traffic;
    limitsHit[code] = (limitsHit[code] ?? 0) + 1;
  }

  private reasonFor(error: NodeJS.ErrnoException | null): CloseReason {
    if (this.fault !== null) return { ...this.fault, truncated: false };
    if (error === null)
      return { kind: 'ended', message: 'the server closed the connection', truncated: false };
    if (isOwnLimit(error.code)) return { kind: 'limit', message: error.message, truncated: false };
    if (isTlsError(error)) return { kind: 'tls', message: error.message, truncated: false };
    if (!this.connected) {
      const kind = error.code === 'ETIMEDOUT' ? 'timeout' : 'connect';
      return { kind, message: error.message, truncated: false };
    }
    return { kind: 'reset', message: error.message, truncated: false };
  }
}

// The message and the place where it was thrown, on one line.
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /^\s*at .*$/m.exec(error.stack ?? '')?.[0].trim() ?? '';
  return `${error.name}: ${error.message}${place === '' ? '' : ` (${place})`}`;
}

function isTlsError(error: NodeJS.ErrnoException | null): boolean {
  const code = error?.code ?? '';
  return /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/.test(code);
}
