import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { CallLog } from '../calls/call-log.js';
import type { MockConfig } from '../config/config.js';
import { Failure } from '../../src/failure.js';
import { LineReader } from './line-reader.js';
import type { FaultConfig } from '../config/faults.js';
import { plainStdio } from './plain-stdio.js';
import { packageVersion } from '../package-version.js';
import { realLoop } from '../time/loop.js';
import { StdioServer } from './stdio-server.js';
import { StdoutSink } from './stdout-sink.js';

/** Faults that a pipe cannot have, and why. */
const impossible: Partial<Record<keyof FaultConfig, string>> = {
  httpError: 'a pipe has no status to refuse a call with',
  misrouted: 'a process has one client',
  eventBefore202: 'a pipe has no 202',
  ackAfterWork: 'a pipe has no 202',
  heldPost: 'a pipe has no POST that could be held',
  unansweredPost: 'a pipe has no POST that could stay without an answer',
};

/** Where the counts and the log go. */
export interface ServeStdioOptions {
  /** One JSON line of each process is added to it; without it the counts go to stderr. */
  readonly statsFile: string | undefined;
  readonly log: string | undefined;
  /** What is written to stderr at the end. */
  lastWords(stats: ReturnType<StdioServer['snapshot']>): string;
}

/** Serves one client on stdin and stdout until there is nothing more to do, and returns the exit code. */
export function serveStdio(config: MockConfig, options: ServeStdioOptions): Promise<number> {
  refuseImpossible(config);
  if (options.statsFile !== undefined) checkWritable(options.statsFile, 'counts');
  if (options.log !== undefined) checkWritable(options.log, 'log');
  const loop = realLoop();
  const stdio = { ...plainStdio, ...config.stdio };
  const log = options.log === undefined ? null : new CallLog(options.log, loop);
  const input = process.stdin;
  return new Promise((resolve) => {
    let noted = '';
    // What would keep the process alive beyond its end.
    const timers: { start?: unknown; slow?: unknown; stay?: unknown } = {};
    // A process that goes on without a client may be killed: then its counts are there already.
    const noteStats = (): void => {
      const line = `${JSON.stringify({ pid: process.pid, stats: server.snapshot() })}\n`;
      if (line === noted) return;
      noted = line;
      if (options.statsFile !== undefined) appendFileSync(options.statsFile, line);
    };
    const over = (exitCode: number): void => {
      input.destroy();
      loop.clear(timers.start);
      loop.clear(timers.slow);
      loop.clear(timers.stay);
      stdout.close(() => {
        log?.flush();
        noteStats();
        if (options.statsFile === undefined)
          process.stderr.write(`${options.lastWords(server.snapshot())}\n`);
        resolve(exitCode);
      });
    };
    const holds = new Set<'slow' | 'behind'>();
    const hold = (why: 'slow' | 'behind'): void => {
      holds.add(why);
      reader.hold();
      input.pause();
    };
    const release = (why: 'slow' | 'behind'): void => {
      if (!holds.delete(why) || holds.size > 0) return;
      reader.release();
      if (holds.size === 0) input.resume();
    };
    const stdout = new StdoutSink(
      loop,
      { bytes: stdio.pieces, gapNs: stdio.pieceGap },
      {
        drained: () => {
          server.drained();
          if (!server.behind) release('behind');
        },
        lost: () => server.lost(),
      },
    );
    const server = new StdioServer(config, {
      loop,
      log,
      version: packageVersion(),
      id: String(process.pid),
      stdout,
      stderr: (text) => void process.stderr.write(text),
      idle: noteStats,
      over,
    });
    const take = (text: string, bytes: number): void => {
      server.receive(text, bytes);
      if (server.behind) hold('behind');
    };
    const reader = new LineReader(
      {
        line: (text, bytes) => {
          const delayMs = server.readDelayMs();
          if (delayMs === 0) return take(text, bytes);
          hold('slow');
          timers.slow = loop.after(delayMs, () => {
            take(text, bytes);
            release('slow');
          });
        },
        tooLong: () => server.tooLong(),
        end: () => {
          server.end();
          if (stdio.stayAfterEof > 0)
            timers.stay = loop.after(stdio.stayAfterEof / 1e6, () => server.close());
        },
      },
      config.limits.bodyBytes,
    );
    const listen = (): void => {
      input.on('data', (chunk: Buffer) => reader.feed(chunk));
      input.on('end', () => reader.end());
      input.on('error', () => reader.end());
    };
    // Who does not want to hear it misses nothing of MCP.
    process.stderr.on('error', () => undefined);
    process.on('SIGINT', () => server.close());
    process.on('SIGTERM', () => {
      if (!stdio.ignoreTerm) server.close();
    });
    if (stdio.childHoldsPipes > 0) holdPipes(stdio.childHoldsPipes);
    server.start();
    if (stdio.startDelay > 0) timers.start = loop.after(stdio.startDelay / 1e6, listen);
    else listen();
  });
}

function refuseImpossible({ faults, tools }: MockConfig): void {
  const all = [
    ['', faults] as const,
    ...Object.entries(tools).map(([name, { faults: own }]) => [name, own] as const),
  ];
  for (const [tool, given] of all)
    for (const [name, why] of Object.entries(impossible)) {
      const rate = (given as Partial<FaultConfig> | undefined)?.[name as keyof FaultConfig]?.rate ?? 0;
      if (rate === 0) continue;
      const where = tool === '' ? `faults.${name}` : `tools.${tool}.faults.${name}`;
      throw new Failure(
        `${where} cannot be had over stdio: ${why}; leave it out, or serve HTTP without --stdio`,
      );
    }
}

/** A child that does nothing but have stdin, stdout and stderr open, in the process group of the mock. */
function holdPipes(forNs: number): void {
  const wait = `setTimeout(() => undefined, ${Math.min(forNs / 1e6, 2 ** 31 - 1)})`;
  spawn(process.execPath, ['-e', wait], { stdio: 'inherit' }).unref();
}

function checkWritable(file: string, what: string): void {
  try {
    appendFileSync(file, '');
  } catch (error) {
    throw new Failure(`cannot write the ${what} ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
