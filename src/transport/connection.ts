import type { Socket } from 'node:net';
import { nowNs } from '../clock.js';
import { WireError } from '../wire/wire-error.js';
import type { ConnectGate } from './connect-gate.js';
import { isOwnLimit, openSocket, type Peer, type SocketHandler } from './socket.js';
import type { CloseReason, Traffic } from './transport.js';
import type { Turn } from './turn.js';

/** What all connections of one worker share. */
export interface Wiring {
  readonly peer: Peer;
  readonly gate: ConnectGate;
  readonly traffic: Traffic;
  readonly turn: Turn;
}

const maxAttempts = 4;
const firstRetryMs = 100;

/**
 * One HTTP connection's socket: passes the gate, connects with a time limit, tries again with back-off, and counts it.
 * What the bytes mean is the subclass's business; a WireError thrown by it ends the connection as a protocol error.
 */
export abstract class Connection implements SocketHandler {
  protected socket: Socket | null = null;
  private attempts = 0;
  private inGate = false;
  private timer: NodeJS.Timeout | null = null;
  private connected = false;
  private gone = false;
  private protocolError: string | null = null;
  /** When the latest attempt to connect began: waits at the gate and between attempts are our own doing. */
  protected connectStartNs = 0;
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
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.answered(), this.gateHoldMs);
    this.timer.unref();
    this.onOpen();
  }

  onSocketData(chunk: Buffer): void {
    if (this.gone) return;
    this.readAtNs = nowNs();
    this.wiring.turn.begin(this.readAtNs);
    this.wiring.traffic.bytesIn += chunk.length;
    if (this.inGate) this.answered();
    try {
      this.onBytes(chunk);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.protocolError = error.message;
      this.socket?.destroy();
    }
  }

  onSocketClosed(error: NodeJS.ErrnoException | null): void {
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
    if (this.protocolError !== null)
      return { kind: 'protocol', message: this.protocolError, truncated: false };
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

function isTlsError(error: NodeJS.ErrnoException | null): boolean {
  const code = error?.code ?? '';
  return /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/.test(code);
}
