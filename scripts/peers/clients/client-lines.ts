import type { HttpTransport } from '../peer-figures.js';
import type { ClientDone, ClientTask } from '../run-client.js';

/** A task over HTTP, by time. */
export interface HttpTask extends ClientTask {
  readonly url: string;
  readonly transport: HttpTransport;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

/** In a client: what it was told. */
export function clientTask(): HttpTask {
  return JSON.parse(process.argv[2] ?? '{}') as HttpTask;
}

/** In a client: says one of the lines of scripts/fleet/README.md, Clients. */
export function sayAt(at: 'ready' | 'measuring' | 'measured', more: object = {}): void {
  process.stdout.write(`${JSON.stringify({ at, ...more })}\n`);
}

/** In a client: says what came of it, and ends once whoever started it has read its figures. */
export function sayDone(done: ClientDone): void {
  process.stdout.write(`${JSON.stringify({ at: 'done', ...done })}\n`);
  process.stdin.once('end', () => process.exit(0)).resume();
}
