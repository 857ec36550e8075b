// Readiness of a server: its event stream answers.
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

/** Resolves to true once GET `url` answers 200 with an event stream, to false when `hasEnded()` or the limit passes first. */
export async function awaitStream(url, { limitMs, hasEnded }) {
  for (const end = performance.now() + limitMs; performance.now() < end; await delay(50)) {
    if (hasEnded()) return false;
    if (await streamAnswers(url)) return !hasEnded();
  }
  return false;
}

function streamAnswers(url) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers: { accept: 'text/event-stream' }, timeout: 5000 });
    const settle = (answer) => {
      request.destroy();
      resolve(answer);
    };
    request.on('response', (response) => {
      const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
      settle(response.statusCode === 200 && isStream);
    });
    request.on('timeout', () => settle(false));
    request.on('error', () => settle(false));
  });
}
