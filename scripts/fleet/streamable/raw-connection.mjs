// One HTTP/1.1 connection over a plain socket that notes when each part of an answer came: for looking at servers, not for load.
import { connect } from 'node:net';

/**
 * Opens a connection to the origin of `url`. `send(bytes)` writes one request and returns its answer, which fills as bytes come:
 * `status`, `headers`, `framing`, `body`, `events`, and `headMs`, `endMs` since it was sent. Its `head` and `done` resolve to false
 * where the connection ends first, or the limit passes.
 */
export function openConnection(url, { limitMs = 5000 } = {}) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const connection = { socket, waiting: [], unread: '', answered: 0, closed: false };
  socket.setEncoding('latin1');
  socket.setNoDelay(true);
  socket.on('data', (text) => {
    connection.unread += text;
    while (connection.unread !== '' && connection.waiting.length > 0 && advance(connection));
  });
  socket.on('error', (error) => (connection.error = error.code));
  socket.on('close', () => {
    connection.closed = true;
    const [first] = connection.waiting;
    if (first?.framing === 'until close') settle(connection, first);
    for (const answer of connection.waiting.splice(0)) answer.giveUp();
  });
  const send = (bytes) => {
    const answer = newAnswer(limitMs);
    connection.waiting.push(answer);
    if (connection.closed) answer.giveUp();
    else socket.write(bytes);
    return answer;
  };
  return Object.assign(connection, { send, close: () => socket.destroy() });
}

function newAnswer(limitMs) {
  const sentMs = performance.now();
  const answer = {
    body: '',
    tail: '',
    events: [],
    comments: 0,
    msSinceSent: () => performance.now() - sentMs,
  };
  const promises = {};
  for (const part of ['head', 'done'])
    answer[part] = new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      promises[part] = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
    });
  answer.tell = (part) => promises[part](true);
  answer.giveUp = () => Object.values(promises).forEach((resolve) => resolve(false));
  return answer;
}

// Takes one piece of the first answer out of what is unread; false where more must come first.
function advance(connection) {
  const [answer] = connection.waiting;
  if (answer.status === undefined) return takeHead(connection, answer);
  if (answer.framing === 'chunked') return takeChunk(connection, answer);
  const wanted = answer.left ?? connection.unread.length;
  const text = connection.unread.slice(0, wanted);
  connection.unread = connection.unread.slice(text.length);
  if (answer.left !== undefined) answer.left -= text.length;
  takeBody(answer, text);
  if (answer.left === 0) settle(connection, answer);
  return true;
}

function takeHead(connection, answer) {
  const end = connection.unread.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [line, ...fields] = connection.unread.slice(0, end).split('\r\n');
  connection.unread = connection.unread.slice(end + 4);
  const status = Number(line.split(' ')[1]);
  if (status < 200) return true;
  answer.headMs = answer.msSinceSent();
  answer.status = status;
  answer.headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const { 'content-length': length, 'transfer-encoding': encoding } = answer.headers;
  answer.isEvents = (answer.headers['content-type'] ?? '').startsWith('text/event-stream');
  if (encoding === 'chunked') answer.framing = 'chunked';
  else if (length !== undefined || status === 204 || status === 304) {
    answer.framing = 'length';
    answer.left = Number(length ?? 0);
  } else answer.framing = 'until close';
  answer.tell('head');
  if (answer.left === 0) settle(connection, answer);
  return true;
}

function takeChunk(connection, answer) {
  const text = connection.unread;
  const end = text.indexOf('\r\n');
  const size = Number.parseInt(text.slice(0, end), 16);
  if (end < 0 || text.length < end + 2 + size + 2) return false;
  connection.unread = text.slice(end + 2 + size + 2);
  if (size === 0) settle(connection, answer);
  else takeBody(answer, text.slice(end + 2, end + 2 + size));
  return true;
}

function settle(connection, answer) {
  answer.endMs = answer.msSinceSent();
  connection.waiting.shift();
  connection.answered += 1;
  answer.tell('done');
}

function takeBody(answer, text) {
  answer.body += text;
  if (!answer.isEvents) return;
  const parts = (answer.tail + text).split(/\r\n\r\n|\n\n/);
  answer.tail = parts.pop();
  for (const part of parts) addEvent(answer, part);
}

function addEvent(answer, part) {
  const lines = part.split(/\r\n|\n/);
  const field = (name) =>
    lines.flatMap((line) =>
      line === name || line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
    );
  const data = field('data');
  if (data.length === 0) return void (answer.comments += 1);
  const event = { atMs: answer.msSinceSent(), name: field('event')[0], id: field('id')[0], part };
  event.retry = field('retry')[0];
  event.message = parseJson(data.join('\n'));
  answer.events.push(event);
  answer.onEvent?.(event);
}

/** The JSON in bytes that came as latin1, or undefined. */
export function parseJson(text) {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The JSON-RPC messages of a complete answer, whatever body it has. */
export function messagesOf(answer) {
  const found = answer.isEvents ? answer.events.map(({ message }) => message) : [parseJson(answer.body)];
  return found.flat().filter((message) => message !== undefined && message !== null);
}

/** The bytes of one request. */
export function requestBytes(url, method, headers, body = '') {
  const { host, pathname } = new URL(url);
  const lines = { Host: host, ...headers };
  if (method === 'POST') lines['Content-Length'] = Buffer.byteLength(body);
  const fields = Object.entries(lines)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n${body}`);
}
