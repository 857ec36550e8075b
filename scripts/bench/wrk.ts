import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What wrk printed, in numbers. */
export interface WrkFigures {
  readonly perSec: number;
  readonly requests: number;
  /** Null without `--latency`. */
  readonly p50Ns: number | null;
  readonly p99Ns: number | null;
  readonly maxNs: number | null;
  readonly socketErrors: number;
  readonly badStatuses: number;
}

export interface WrkOptions {
  readonly url: string;
  readonly body: string;
  /** In place of a content type of JSON alone. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Requests in one write; 1: the next only when the last was answered. */
  readonly pipelined: number;
}

/** The version of wrk on this machine; null where there is none. */
export function wrkVersion(): string | null {
  const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  return error ? null : (/^wrk (\S+)/.exec(stdout)?.[1] ?? 'unknown');
}

/** POSTs the body from one thread of wrk; throws unless every answer was 2xx. */
export async function runWrk(options: WrkOptions): Promise<WrkFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-wrk-'));
  try {
    const script = join(folder, 'post.lua');
    writeFileSync(script, luaScript(options));
    const { connections, seconds, url } = options;
    const text = await output('wrk', [
      '--threads=1',
      `--connections=${connections}`,
      // wrk takes whole seconds.
      `--duration=${Math.max(1, Math.round(seconds))}s`,
      '--latency',
      `--script=${script}`,
      url,
    ]);
    const figures = readWrkOutput(text);
    if (figures.badStatuses > 0 || figures.socketErrors > 0) throw new Error(`wrk met errors:\n${text}`);
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads what wrk prints; throws where it is not a report of wrk. */
export function readWrkOutput(text: string): WrkFigures {
  const perSec = /^Requests\/sec:\s+([\d.]+)/m.exec(text);
  const requests = /^\s*(\d+) requests in /m.exec(text);
  if (perSec === null || requests === null) throw new Error(`not a report of wrk:\n${text}`);
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text);
  const bad = /Non-2xx or 3xx responses: (\d+)/.exec(text);
  return {
    perSec: Number(perSec[1]),
    requests: Number(requests[1]),
    p50Ns: timeNs(/^\s+50%\s+([\d.]+)(us|ms|s|m)\s*$/m.exec(text)),
    p99Ns: timeNs(/^\s+99%\s+([\d.]+)(us|ms|s|m)\s*$/m.exec(text)),
    maxNs: timeNs(/^\s+Latency\s+\S+\s+\S+\s+([\d.]+)(us|ms|s|m)\s/m.exec(text)),
    socketErrors: errors === null ? 0 : errors.slice(1).reduce((sum, count) => sum + Number(count), 0),
    badStatuses: bad === null ? 0 : Number(bad[1]),
  };
}

const unitNs = { us: 1e3, ms: 1e6, s: 1e9, m: 60e9 };

function timeNs(found: RegExpExecArray | null): number | null {
  return found === null ? null : Number(found[1]) * unitNs[found[2] as keyof typeof unitNs];
}

const jsonAlone = { 'Content-Type': 'application/json' };

/** A script that posts the body; a fixed request is prepared once, so that Lua costs nothing per request. */
function luaScript({ body, headers = jsonAlone, pipelined }: WrkOptions): string {
  const quote = (text: string): string => `[==[${text}]==]`;
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[ ${quote(name)} ] = ${quote(value)}\n`,
  );
  const head = `wrk.method = "POST"\n${lines.join('')}wrk.body = ${quote(body)}\n`;
  if (pipelined === 1) return head;
  return `${head}
local batch
init = function()
  local each = {}
  for i = 1, ${pipelined} do each[i] = wrk.format() end
  batch = table.concat(each)
end
request = function() return batch end
`;
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${command} ended with ${code}:\n${text}`)),
    );
  });
}
