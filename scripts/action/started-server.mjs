// The server that is measured, where the action starts it itself.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnGroup, stopGroup } from '../fleet/process-group.mjs';
import { keepUrl, redact } from '../../dist/src/text/secrets.js';

/** Starts a shell command and resolves once its URL answers; throws with the end of its output where it does not. */
export async function startServer({ command, url, limitMs, logFile }) {
  const shell = ['bash', '-c', command];
  const child = spawnGroup({ command: shell, cwd: process.cwd(), env: process.env, logFile });
  let ended = '';
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`));
  const stop = () => stopGroup(child.pid, 5000);
  for (const end = performance.now() + limitMs; ; await delay(100)) {
    if (await answers(url)) return { stop };
    const late = performance.now() > end ? `no answer at ${url} within ${limitMs / 1000} s` : '';
    if (ended === '' && late === '') continue;
    if (child.pid !== undefined) await stop();
    keepUrl(url);
    throw new Error(
      redact(`the server did not start: ${ended || late}\n${readFileSync(logFile, 'utf8').slice(-2000)}`),
    );
  }
}

/** Whether something speaks HTTP there: what it thinks of our request, or we of its certificate, is not the question. */
async function answers(url) {
  const cut = new AbortController();
  try {
    const signal = AbortSignal.any([cut.signal, AbortSignal.timeout(2000)]);
    const { status } = await fetch(url, { headers: { accept: 'text/event-stream' }, signal });
    return status < 500;
  } catch (error) {
    return /CERT|SIGNED|TLS|SSL/.test(String(error.cause?.code));
  } finally {
    cut.abort();
  }
}
