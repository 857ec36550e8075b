import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowNs } from '../../../src/clock.js';
import { Workload } from '../../../src/load/workload.js';
import { dialects } from '../../../src/mcp/dialect.js';
import { planScenario } from '../../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { parseTarget } from '../../../src/transport/http/address.js';
import { RequestHeads } from '../../../src/transport/http/request-heads.js';
import { programOptions, say } from '../child-program.js';
import { initialize, initialized } from './messages.js';

// A program: the bare loop that a burst is held against. It writes the same requests on the same number of connections, which
// stand, from texts that are ready, and does nothing else; in slices of so many milliseconds, between which it throws away what
// has come meanwhile.

export interface BurstWriterOptions {
  readonly url: string;
  /** The sessions, the calls and their texts are this scenario's. */
  readonly scenario: ScenarioInput;
  /** Calls of each session in a burst. */
  readonly calls: number;
  readonly mode: 'serial' | 'pipelined';
  readonly sliceMs: number;
  readonly everyMs: number;
  readonly warmupBursts: number;
  readonly bursts: number;
}

export interface BurstWriterFigures {
  /** From the first write to the last, of each burst. */
  readonly writeMs: readonly number[];
  /** Calls sent, warm-up included. */
  readonly sent: number;
  readonly bytesPerBurst: number;
  /** Turns of the loop in which a burst was written. */
  readonly slices: readonly number[];
}

const options = programOptions<BurstWriterOptions>();
const plan = planScenario(options.scenario, { target: options.url });
const { address, path: streamPath } = parseTarget(options.url, null);
const heads = new RequestHeads({});
const workload = new Workload(plan);
const openingAtOnce = 64;
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

interface Line {
  readonly socket: Socket;
  readonly head: string;
  readonly session: number;
}

const lines: Line[] = [];
let seq = 0;
await openSessions(plan.sessions.count);
const writeMs: number[] = [];
const slices: number[] = [];
let bytesPerBurst = 0;
for (let burst = 0; burst < options.warmupBursts + options.bursts; burst++) {
  const texts = lines.map(textFor);
  bytesPerBurst = texts.reduce((sum, text) => sum + text.length, 0);
  // As long before a burst as our own scenario is idle.
  await sleep(options.everyMs);
  const written = await writeOut(texts);
  if (burst < options.warmupBursts) continue;
  writeMs.push(written.ns / 1e6);
  slices.push(written.slices);
}
await sleep(options.everyMs);
say({ writeMs, sent: seq, bytesPerBurst, slices } satisfies BurstWriterFigures);
process.exit(0);

function writeOut(texts: readonly string[]): Promise<{ ns: number; slices: number }> {
  return new Promise((resolve) => {
    const startNs = nowNs();
    let at = 0;
    let turns = 0;
    const slice = (): void => {
      turns++;
      const untilNs = nowNs() + options.sliceMs * 1e6;
      while (at < texts.length) {
        lines[at]!.socket.write(texts[at]!, 'latin1');
        at++;
        if (nowNs() >= untilNs) break;
      }
      if (at < texts.length) setImmediate(slice);
      else resolve({ ns: nowNs() - startNs, slices: turns });
    };
    slice();
  });
}

/** What one connection is given in a burst: one request, or all of its session's. */
function textFor({ head, session }: Line): string {
  let text = '';
  for (let i = 0; i < (options.mode === 'serial' ? 1 : options.calls); i++) {
    const body = workload.render(0, seq, session, seq + 1, dialects.classic);
    seq++;
    text += `${head}${body.length}\r\n\r\n${body}`;
  }
  return text;
}

async function openSessions(count: number): Promise<void> {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) await openSession(begun++);
  };
  await Promise.all(Array.from({ length: Math.min(openingAtOnce, count) }, lane));
  lines.sort((a, b) => a.session - b.session);
}

async function openSession(session: number): Promise<void> {
  const stream = await open();
  const path = /\ndata: (\S+)/.exec(await stream.ask(heads.stream(streamPath, address), '\n\n'))![1]!;
  const head = heads.post(path, address);
  const posts = await Promise.all(
    Array.from({ length: options.mode === 'serial' ? options.calls : 1 }, () => open()),
  );
  for (const message of [initialize(0), initialized])
    await posts[0]!.ask(`${head}${message.length}\r\n\r\n${message}`, 'HTTP/1.1 202');
  for (const { socket } of posts) lines.push({ socket, head, session });
}

interface Asked {
  readonly socket: Socket;
  /** Writes, and resolves with all that has come when the mark has. */
  ask(text: string, mark: string): Promise<string>;
}

// Read as the generator reads: into one buffer that all share.
async function open(): Promise<Asked> {
  let heard: ((text: string) => void) | null = null;
  const socket = connect({
    host: address.host,
    port: address.port,
    noDelay: true,
    onread: {
      buffer: readBuffer,
      callback: (bytes) => {
        heard?.(readBuffer.toString('latin1', 0, bytes));
        return true;
      },
    },
  });
  await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', resolve);
  });
  return {
    socket,
    ask: (text, mark) =>
      new Promise((resolve) => {
        let all = '';
        heard = (more) => {
          all += more;
          if (!all.includes(mark)) return;
          heard = null;
          resolve(all);
        };
        socket.write(text, 'latin1');
      }),
  };
}
