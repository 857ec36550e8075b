// One MCP session over plain sockets that keeps every byte and the order of arrival: for looking at servers, not for load.
import { connect } from 'node:net';

/** Opens a socket to the origin of `url` and collects what comes back. */
export function openSocket(url, onData = () => {}) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const seen = { socket, text: '', closed: false, error: undefined };
  socket.setEncoding('latin1');
  socket.setNoDelay(true);
  socket.on('data', (text) => {
    seen.text += text;
    onData(text);
  });
  socket.on('error', (error) => (seen.error = error.code));
  socket.on('close', () => (seen.closed = true));
  return seen;
}

/** Splits the responses that stand complete at the start of `text`: `{ status, headers, body, framing }` each, and the rest. */
export function splitResponses(text) {
  const found = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { found, rest };
    const head = rest.slice(0, end);
    const status = Number(head.split(' ')[1]);
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    );
    const body = readBody(rest.slice(end + 4), headers);
    if (!body) return { found, rest };
    found.push({ status, headers, body: body.text, framing: body.framing });
    rest = body.rest;
  }
}

function readBody(text, headers) {
  if (headers['transfer-encoding'] === 'chunked') {
    const { text: body, rest, done } = dechunk(text);
    return done ? { text: body, rest, framing: 'chunked' } : undefined;
  }
  const length = Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  const framing = headers['content-length'] === undefined ? 'none' : `length ${length}`;
  return { text: text.slice(0, length), rest: text.slice(length), framing };
}

function dechunk(text) {
  let body = '';
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return { text: body, rest: '', done: false };
    const size = Number.parseInt(text.slice(at, end), 16);
    if (size === 0) {
      const done = text.startsWith('\r\n', end + 2);
      return { text: body, rest: text.slice(end + 4), done };
    }
    if (text.length < end + 2 + size) return { text: body + text.slice(end + 2), rest: '', done: false };
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** Opens the stream of `url` and resolves when its first event is there. */
export async function openSession(url, { headers = {}, limitMs = 5000 } = {}) {
  const session = {
    url,
    head: '',
    raw: '',
    tail: '',
    events: [],
    comments: [],
    waiters: new Set(),
    closed: false,
  };
  const path = new URL(url).pathname;
  let unread = '';
  session.stream = openSocket(url, (text) => {
    unread = readStream(session, unread + text);
    wake(session);
  });
  session.stream.socket.on('close', () => {
    session.closed = true;
    wake(session);
  });
  const lines = { Host: new URL(url).host, Accept: 'text/event-stream', ...headers };
  const fields = Object.entries(lines).map(([key, value]) => `${key}: ${value}\r\n`);
  session.stream.socket.write(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`);
  await until(session, () => session.events.length > 0, limitMs);
  const first = session.events[0]?.data;
  if (first !== undefined) {
    const target = first.startsWith('{') ? JSON.parse(first).endpoint : first;
    session.endpoint = new URL(target, url).href;
  }
  return session;
}

// Takes what is complete of the head and the chunks, and returns the rest for the next time.
function readStream(session, unread) {
  let rest = unread;
  if (session.head === '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    session.head = rest.slice(0, end);
    rest = rest.slice(end + 4);
  }
  if (!/transfer-encoding: chunked/i.test(session.head)) {
    readEvents(session, rest);
    return '';
  }
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, end), 16);
    if (end < 0 || rest.length < end + 2 + size + 2) return rest;
    readEvents(session, rest.slice(end + 2, end + 2 + size));
    rest = rest.slice(end + 2 + size + 2);
  }
}

// Only the first part of the raw text is kept: it is for looking at line ends.
function readEvents(session, text) {
  if (session.raw.length < 20_000) session.raw += text;
  const parts = (session.tail + text).split(/\r\n\r\n|\n\n|\r\n\n|\n\r\n/);
  session.tail = parts.pop();
  for (const part of parts) addEvent(session, part);
}

function addEvent(session, part) {
  const lines = part.split(/\r\n|\n|\r/);
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''));
  const name = lines
    .find((line) => line.startsWith('event:'))
    ?.slice(6)
    .trim();
  const event = { part, name, data: data.join('\n'), atMs: performance.now(), message: undefined };
  try {
    event.message = JSON.parse(Buffer.from(event.data, 'latin1').toString('utf8'));
  } catch {
    // Endpoints and pings are no JSON.
  }
  if (data.length > 0) session.events.push(event);
  else if (part !== '') session.comments.push({ part, atMs: event.atMs });
  session.onEvent?.(event);
}

function wake(session) {
  for (const waiter of session.waiters) waiter();
}

/** Resolves to true as soon as `holds()`, to false when the limit passes or the stream ends first. */
export function until(session, holds, limitMs = 5000) {
  return new Promise((resolve) => {
    const finish = (answer) => {
      clearTimeout(timer);
      session.waiters.delete(check);
      resolve(answer);
    };
    const check = () => {
      if (holds()) finish(true);
      else if (session.closed) finish(false);
    };
    const timer = setTimeout(() => finish(holds()), limitMs);
    session.waiters.add(check);
    check();
  });
}

/** The bytes of one POST to `target`. */
export function postBytes(target, body, headers = {}) {
  const { host, pathname, search } = new URL(target);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = {
    Host: host,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  };
  const fields = Object.entries(lines).map(([key, value]) => `${key}: ${value}\r\n`);
  return `POST ${pathname}${search} HTTP/1.1\r\n${fields.join('')}\r\n${text}`;
}

/** Writes POSTs on one fresh connection in one write and resolves with the responses, or what came of them within the limit. */
export function exchange(target, requests, { limitMs = 3000, onResponse = () => {} } = {}) {
  return new Promise((resolve) => {
    let counted = 0;
    const finish = () => {
      clearTimeout(timer);
      seen.socket.destroy();
      const { found, rest } = splitResponses(seen.text);
      resolve({ responses: found, rest, closed: seen.closed, error: seen.error });
    };
    const timer = setTimeout(finish, limitMs);
    const seen = openSocket(target, () => {
      const { found } = splitResponses(seen.text);
      for (; counted < found.length; counted += 1) onResponse(found[counted], counted);
      if (found.length >= requests.length) finish();
    });
    seen.socket.on('close', finish);
    seen.socket.write(requests.join(''));
  });
}

/** A connection of its own for a session's POSTs, one at a time: `post(message)` resolves with the response or undefined. */
export function openPosts(target, limitMs = 3000) {
  let settle;
  let taken = '';
  const seen = openSocket(target, (text) => {
    const { found, rest } = splitResponses(taken + text);
    taken = found.length > 0 ? rest : taken + text;
    if (found.length > 0) settle?.(found[0]);
  });
  seen.socket.on('close', () => settle?.(undefined));
  return {
    socket: seen.socket,
    post: (message) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => settle(undefined), limitMs);
        settle = (response) => {
          clearTimeout(timer);
          settle = undefined;
          resolve(response);
        };
        seen.socket.write(postBytes(target, message));
      }),
  };
}

/** Closes a session's stream. */
export function closeSession(session) {
  session.stream.socket.destroy();
}
