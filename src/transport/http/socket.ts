import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Address } from './address.js';
import { serverName } from './address.js';

/** What a connection needs to know of its peer, beyond the address: made once per run. */
export interface Peer {
  readonly address: Address;
  /** The IP address that the host name stands for, found out once; connecting does not ask again. */
  readonly ip: string;
  /** Asked instead of the resolver where `ip` is a name after all. */
  readonly lookup?: LookupFunction;
  readonly secureContext: SecureContext | null;
  readonly verify: boolean;
  readonly connectTimeoutNs: number;
}

export interface SocketHandler {
  onSocketConnected(): void;
  /** Bytes that came in; valid only during the call. */
  onSocketData(chunk: Buffer): void;
  /** The socket is gone, once, whether it ever stood or not. */
  onSocketClosed(error: NodeJS.ErrnoException | null): void;
}

// All plain sockets of a thread read into this one buffer: 9,000 sessions need no buffers of their own.
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);
// Most reads are short, and a view of the same bytes is the same view.
const shortReads: Buffer[] = [];
const shortReadBytes = 4096;

function viewOfRead(bytes: number): Buffer {
  if (bytes > shortReadBytes) return readBuffer.subarray(0, bytes);
  return (shortReads[bytes] ??= readBuffer.subarray(0, bytes));
}

/** Connects, plain or by TLS or through a Unix socket; the handler hears of data and of the end. */
export function openSocket(peer: Peer, handler: SocketHandler): Socket {
  const { address } = peer;
  const place = address.unixSocket === null ? tcpPlace(peer) : { path: address.unixSocket };
  let socket: Socket;
  if (address.secure) {
    socket = connectTls({
      ...place,
      servername: serverName(address),
      secureContext: peer.secureContext ?? undefined,
      rejectUnauthorized: peer.verify,
      ALPNProtocols: ['http/1.1'],
    });
    socket.on('secureConnect', () => handler.onSocketConnected());
    socket.on('data', (chunk: Buffer) => handler.onSocketData(chunk));
  } else {
    socket = connect({
      ...place,
      onread: {
        buffer: readBuffer,
        callback: (bytes) => {
          handler.onSocketData(viewOfRead(bytes));
          return true;
        },
      },
    });
    socket.on('connect', () => handler.onSocketConnected());
  }
  socket.setNoDelay(true);
  let failure: NodeJS.ErrnoException | null = null;
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('close', () => handler.onSocketClosed(failure));
  return socket;
}

function tcpPlace({ ip, address, lookup }: Peer): TcpNetConnectOpts {
  return { host: ip, port: address.port, ...(lookup === undefined ? {} : { lookup }) };
}

const ownLimits = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** Whether a connect failed because this machine ran out of descriptors, ports or buffers. */
export function isOwnLimit(code: string | undefined): boolean {
  return code !== undefined && ownLimits.has(code);
}
