import { Client, type Dispatcher, Pool } from 'undici';
import { programOptions, say } from '../child-program.js';
import { EventReader } from './event-reader.js';
import { measureWindow, type WindowFigures } from './measured-window.js';
import { echoCall, initialize, initialized } from './messages.js';

// A program: calls through undici, which is what a Node program would use; written leanly, with callbacks alone.

export interface UndiciOptions {
  readonly url: string;
  /** pool: one request per connection at a time; pipelined: several on the one connection of a session. */
  readonly mode: 'pool' | 'pipelined';
  readonly sessions: number;
  readonly inFlight: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

const options = programOptions<UndiciOptions>();
const url = new URL(options.url);
let running = true;
let done = 0;
let nextId = 1;
const jsonHeaders = { 'content-type': 'application/json' };
const ignored: Dispatcher.DispatchHandler = {
  onRequestStart: () => {},
  onResponseStart: (_, status) => {
    if (status >= 300) throw new Error(`a POST was answered ${status}`);
  },
  onResponseData: () => {},
  onResponseEnd: () => {},
  onResponseError: (_, error) => {
    if (running) throw error;
  },
};

const sessions = await Promise.all(Array.from({ length: options.sessions }, () => openSession()));
for (const session of sessions) startCalling(session);
const window = await measureWindow(options.warmupSeconds, options.seconds, () => done);
running = false;
say(window satisfies WindowFigures);
process.exit(0);

interface Session {
  readonly posts: Dispatcher;
  readonly path: string;
  /** Who waits for the response to which id. */
  readonly waiting: Map<number, () => void>;
}

async function openSession(): Promise<Session> {
  const waiting: Session['waiting'] = new Map();
  const path = await new Promise<string>((resolve) => {
    const reader = new EventReader((data, event) => {
      if (event === 'endpoint') return resolve(data);
      const { id } = JSON.parse(data) as { id: number };
      const answered = waiting.get(id);
      waiting.delete(id);
      answered?.();
    });
    new Client(url.origin).dispatch(
      { method: 'GET', path: url.pathname, headers: { accept: 'text/event-stream' }, bodyTimeout: 0 },
      { ...ignored, onResponseData: (_, chunk) => reader.feed(chunk) },
    );
  });
  const posts =
    options.mode === 'pool'
      ? new Pool(url.origin, { connections: options.inFlight, pipelining: 1 })
      : new Client(url.origin, { pipelining: options.inFlight });
  const session = { posts, path, waiting };
  await new Promise<void>((resolve) => request(session, initialize, resolve));
  post(session, initialized);
  return session;
}

function startCalling(session: Session): void {
  const callAgain = (): void => {
    done++;
    if (running) request(session, echoCall, callAgain);
  };
  for (let i = 0; i < options.inFlight; i++) request(session, echoCall, callAgain);
}

function request(session: Session, message: (id: number) => string, answered: () => void): void {
  const id = nextId++;
  session.waiting.set(id, answered);
  post(session, message(id));
}

function post({ posts, path }: Session, body: string): void {
  // Only idempotent requests are pipelined by undici.
  posts.dispatch({ method: 'POST', path, headers: jsonHeaders, body, idempotent: true }, ignored);
}
