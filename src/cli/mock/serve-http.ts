import type { ArgumentsCamelCase } from 'yargs';
import { finalLines } from './final-lines.js';
import { isLoopback, startMock } from '../../../mock-server/serve-mock.js';
import type { RunningMock } from '../../../mock-server/serve-mock.js';
import { mockConfigOf } from './mock-config.js';
import type { MockFlags } from './mock-flags.js';
import { tell } from '../tell.js';
import { untilStopped } from '../runs/interrupts.js';

/** Runs the mock on a port until it is told to stop. */
export async function serveHttp(given: ArgumentsCamelCase<MockFlags>): Promise<void> {
  const { port = 8765, host = '127.0.0.1', engine, threads = 1, log } = given;
  const config = mockConfigOf(given);
  const mock = await startMock(config, { port, host, engine, threads, log });
  if (!isLoopback(host))
    tell(`warning: ${host} can be reached from other machines; the mock checks no credentials`);
  if (mock.engineNote) tell(`warning: ${mock.engineNote}; running on the engine without native code`);
  const { url, urls, dialect } = mock;
  // Who reads that it listens may stop it at once.
  const stopped = untilStopped();
  if (given.json) console.log(JSON.stringify({ url, urls, engine: mock.engine, dialect, pid: process.pid }));
  else console.log(startLine(mock));
  await stopped;
  await mock.close();
  const stats = await mock.stats();
  console.log(given.json ? JSON.stringify({ stats }) : finalLines(stats));
}

function startLine({ url, urls, dialect, engine, threads }: RunningMock): string {
  const more = `engine ${engine}${threads > 1 ? `, ${threads} threads` : ''}`;
  return `mcp-bench mock listens on ${url} (dialect ${dialect}, ${more})\n  and on ${urls.streamable} (Streamable HTTP)`;
}
