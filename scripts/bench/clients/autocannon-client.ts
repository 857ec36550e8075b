import autocannon from 'autocannon';
import { programOptions, say } from '../child-program.js';
import type { WindowFigures } from './measured-window.js';
import { notification } from './messages.js';

// A program: autocannon POSTing notifications to a live session, with the CPU that this takes.

export interface AutocannonOptions {
  readonly postUrl: string;
  readonly connections: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

const { postUrl, connections, warmupSeconds, seconds } = programOptions<AutocannonOptions>();
await fire(warmupSeconds);
const startCpu = process.cpuUsage();
const { requests, duration } = await fire(seconds);
const { user, system } = process.cpuUsage(startCpu);
const done = requests.total;
say({ done, perSec: done / duration, cpuUsEach: (user + system) / done } satisfies WindowFigures);

async function fire(duration: number): Promise<autocannon.Result> {
  const headers = { 'content-type': 'application/json' };
  const result = await autocannon({
    url: postUrl,
    connections,
    duration: Math.max(1, duration),
    method: 'POST',
    headers,
    body: notification,
  });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`autocannon met ${result.errors} errors and ${result.non2xx} statuses other than 2xx`);
  return result;
}
