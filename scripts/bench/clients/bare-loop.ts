import { connect, type Socket } from 'node:net';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { programOptions, say } from '../child-program.js';
import { measureWindow, type WindowFigures } from './measured-window.js';
import { streamableExchange } from './streamable-exchange.js';

// A program: the bare loop that calls over Streamable HTTP are held against. Each connection writes the generator's request again
// whenever something has come, and looks at none of it: a read is taken for an answer, which the server's counts confirm.

export interface BareLoopOptions {
  readonly url: string;
  readonly scenario: ScenarioInput;
  readonly connections: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

export interface BareLoopFigures extends WindowFigures {
  /** Everything sent, warm-up and all. */
  readonly sent: number;
}

const { url, scenario, connections, warmupSeconds, seconds } = programOptions<BareLoopOptions>();
const { hostname, port } = new URL(url);
const { request } = streamableExchange(url, scenario);
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);
let running = true;
let sent = 0;
let done = 0;
let idle: () => void = () => {};

const sockets = await Promise.all(Array.from({ length: connections }, openLine));
for (const socket of sockets) send(socket);
const window = await measureWindow(warmupSeconds, seconds, () => done);
running = false;
if (done < sent) await new Promise<void>((resolve) => (idle = resolve));
say({ ...window, sent } satisfies BareLoopFigures);
process.exit(0);

function openLine(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: () => {
          done++;
          if (running) send(socket);
          else if (done === sent) idle();
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

function send(socket: Socket): void {
  sent++;
  socket.write(request, 'latin1');
}
