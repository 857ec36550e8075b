// Readiness of a server: its event stream answers, or over Streamable HTTP anything does.
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A port of the loopback address that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Resolves to true once the server at `url` answers a GET as its transport has it, to false when `hasEnded()` or the limit passes first. */
export async function awaitServer(url, { transport, limitMs, hasEnded }) {
  const isReady = transport === 'streamable' ? () => true : isEventStream;
  for (const end = performance.now() + limitMs; performance.now() < end; await delay(50)) {
    if (hasEnded()) return false;
    if (await answers(url, isReady)) return !hasEnded();
  }
  return false;
}

function isEventStream({ statusCode, headers }) {
  return statusCode === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream');
}

// Without a session a GET of Streamable HTTP is refused, in as many ways as there are servers.
function answers(url, isReady) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers: { accept: 'text/event-stream' }, timeout: 5000 });
    const settle = (answer) => {
      request.destroy();
      resolve(answer);
    };
    request.on('response', (response) => settle(isReady(response)));
    request.on('timeout', () => settle(false));
    request.on('error', () => settle(false));
  });
}
