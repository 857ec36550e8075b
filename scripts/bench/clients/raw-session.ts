import { type Socket, connect } from 'node:net';
import { MarkCounter } from './mark-counter.js';
import { initialize, initialized, postRequest } from './messages.js';

const eventEnd = Buffer.from('\n\n');
const openingAtOnce = 64;
const accepted = Buffer.from('HTTP/1.1 202');

/** A socket to a server, and how often a mark has been read from it. */
export class MarkedSocket {
  onMarks: (count: number) => void = () => {};
  private readonly counter: MarkCounter;

  constructor(
    readonly socket: Socket,
    mark: Buffer,
  ) {
    this.counter = new MarkCounter(mark);
    socket.on('data', (chunk: Buffer) => {
      const count = this.counter.feed(chunk);
      if (count > 0) this.onMarks(count);
    });
  }

  /** Resolves with the next marks. */
  next(): Promise<void> {
    return new Promise((resolve, reject) => {
      const lost = (): void => reject(new Error('the connection was lost'));
      this.socket.once('close', lost);
      this.onMarks = () => {
        this.socket.off('close', lost);
        resolve();
      };
    });
  }
}

/** A bare MCP session on raw sockets: its stream, its first POST connection, and nothing that a benchmark does not need. */
export interface RawSession {
  readonly stream: MarkedSocket;
  readonly post: MarkedSocket;
  /** Where messages are posted to. */
  readonly path: string;
}

/** Connects; a connect that fails is an error. */
export function connectTo(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // What is lost later shows as calls that do not come back.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

/** A connection for POSTs, on which acceptances are counted. */
export async function connectPosts(url: URL): Promise<MarkedSocket> {
  return new MarkedSocket(await connectTo(url), accepted);
}

/** Opens a session of the classic kind (an `endpoint` event comes first) and goes through the handshake. */
export async function openRawSession(url: URL): Promise<RawSession> {
  const streamSocket = await connectTo(url);
  const endpoint = readEndpoint(streamSocket);
  streamSocket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const { pathname, search } = new URL(await endpoint, url);
  const path = pathname + search;
  const stream = new MarkedSocket(streamSocket, eventEnd);
  const post = await connectPosts(url);
  const answers = [stream.next(), post.next()];
  post.socket.write(postRequest(url.host, path, initialize(0)));
  await Promise.all(answers);
  const confirmed = post.next();
  post.socket.write(postRequest(url.host, path, initialized));
  await confirmed;
  return { stream, post, path };
}

/**
 * Opens that many, so many at a time: more at once would overflow the server's listen queue. Each is used as soon as it
 * is open, because servers close connections that idle; resolves with the errors of those that failed.
 */
export async function openRawSessions(
  url: URL,
  count: number,
  use: (session: RawSession) => Promise<void> | void,
): Promise<Error[]> {
  const failures: Error[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun++;
      try {
        await use(await openRawSession(url));
      } catch (error) {
        failures.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(openingAtOnce, count) }, lane));
  return failures;
}

function readEndpoint(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const found = /\ndata: (\S+)\r?\n\r?\n/.exec(text);
      if (found === null) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve(found[1]!);
    };
    const onClose = (): void => reject(new Error(`no endpoint came: ${text.slice(0, 200)}`));
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}
