import { appendFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Failure } from '../src/failure.js';
import type { MockConfig, MockConfigInput } from './config/config.js';
import { Front } from './http/front.js';
import type { ServerFacts } from './http/front.js';
import { checkConfig } from './config/load-config.js';
import { makeApp } from './make-app.js';
import { serveNet } from './http/net-server.js';
import { sitesOf } from './protocol/sites.js';
import { streamableOptionsOf } from './streamable/streamable-options-of.js';
import type { StatsSnapshot } from './stats.js';
import { mostThreads } from './threads/owner.js';
import { serveThreads } from './threads/thread-pool.js';
import { Usage } from './threads/usage.js';
import { loadUws, serveUws, whyNoUws } from './http/uws-server.js';

/** Where and how a mock runs. */
export interface ServeOptions {
  /** 0 (the default) takes any free port. */
  port?: number;
  host?: string;
  /** `uws` where its native module loads, unless told otherwise; `node` is our own HTTP on sockets, on every platform. */
  engine?: 'uws' | 'node';
  /** More than one needs uWebSockets. */
  threads?: number;
  /** Writes one JSON line per call to this file. */
  log?: string;
}

/** Everything that the configuration file knows can stand here too. */
export type ServeMockOptions = ServeOptions & MockConfigInput;

/** A mock that is listening. */
export interface RunningMock {
  /** Where its event stream is; with dialect `all`, the root of all of them. */
  readonly url: string;
  /** Where both transports are: `sse` is `url`, `streamable` the Streamable HTTP endpoint. */
  readonly urls: { readonly sse: string; readonly streamable: string };
  readonly port: number;
  readonly engine: 'uws' | 'node';
  readonly dialect: string;
  readonly threads: number;
  /** Why it is not on the engine it should be on, if so. */
  readonly engineNote: string | undefined;
  stats(): Promise<StatsSnapshot>;
  /** Ends all streams and stops; the counts can still be asked for afterwards. */
  close(): Promise<void>;
}

/** Starts the mock MCP server in this process. */
export async function serveMock(options: ServeMockOptions = {}): Promise<RunningMock> {
  const { port, host, engine, threads, log, ...config } = options;
  const checked = checkConfig(config, () => 'serveMock');
  return startMock(checked, { port: port ?? 0, host, engine, threads, log });
}

/** Starts the mock from a configuration that has been checked. */
export async function startMock(
  config: MockConfig,
  options: { [K in keyof ServeOptions]: ServeOptions[K] | undefined },
): Promise<RunningMock> {
  const { port = 0, host = '127.0.0.1', log, threads = 1 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Failure(`--port ${port}: expected a port from 1 to 65535, or 0 for any free one`);
  // To a socket an empty address is every address: surely not what a variable without a value was meant to say.
  if (host.trim() === '')
    throw new Failure(`--host '${host}': expected an address or a name, such as 127.0.0.1`);
  const uws = options.engine === 'node' ? undefined : await loadUws();
  if (options.engine === 'uws' && uws instanceof Error)
    throw new Failure(`${whyNoUws(uws).reason}; or use --engine node`);
  const native = uws === undefined || uws instanceof Error ? undefined : uws;
  checkThreads(threads, config, native !== undefined);
  if (log !== undefined) checkWritable(log);
  const sites = sitesOf(config);
  const [site] = sites;
  const dialect = sites.length > 1 ? 'all' : site!.dialect.name;
  const facts: ServerFacts = { engine: native ? 'uws' : 'node', dialect, threads, seed: config.seed };
  const loopbackOnly = isLoopback(host);
  const baseUrlOf = (at: number): string => `http://${isIP(host) === 6 ? `[${host}]` : host}:${at}`;
  const path =
    dialect === 'all' ? '/' : site!.streamPath + (site!.dialect.sessionParam === '' ? 'bench' : '');
  const streamablePath = streamableOptionsOf(config).path;
  const running = (
    at: number,
    stats: RunningMock['stats'],
    close: (reason: string) => Promise<void>,
  ): RunningMock => ({
    url: baseUrlOf(at) + path,
    urls: { sse: baseUrlOf(at) + path, streamable: baseUrlOf(at) + streamablePath },
    port: at,
    engine: native ? 'uws' : 'node',
    dialect,
    threads,
    engineNote: uws instanceof Error && whyNoUws(uws).installed ? whyNoUws(uws).reason : undefined,
    stats,
    close: () => close('shutdown'),
  });
  // Not before the port is ours: a mock that cannot start must leave the log alone of one that is running.
  const startLog = (): void => {
    if (log !== undefined) writeFileSync(log, '');
  };
  if (threads > 1 && native) {
    const pool = await serveThreads(
      native,
      { host, port },
      { config, facts, loopbackOnly, log, baseUrl: baseUrlOf },
    );
    startLog();
    return running(pool.port, pool.stats, pool.close);
  }
  let baseUrl = '';
  const app = makeApp(config, {
    baseUrl: () => baseUrl,
    log,
    thread: { index: 0, count: 1 },
    usage: new Usage(),
  });
  const front = new Front(app, loopbackOnly, facts);
  const engine = native
    ? await serveUws(native, front, { host, port })
    : await serveNet(front, { host, port });
  startLog();
  baseUrl = baseUrlOf(engine.port);
  return running(engine.port, () => Promise.resolve(front.ownStats(false)), engine.close);
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function checkThreads(threads: number, config: MockConfig, native: boolean): void {
  if (!Number.isInteger(threads) || threads < 1 || threads > mostThreads)
    throw new Failure(`--threads ${threads}: expected a whole number from 1 to ${mostThreads}`);
  if (threads === 1) return;
  if (!native)
    throw new Failure(
      `--threads ${threads} needs the uws engine: the other runs on one thread; leave --threads out`,
    );
  const single = config.freeze
    ? 'freeze'
    : config.wire.broadcast
      ? 'wire.broadcast'
      : config.faults.slowRead
        ? 'faults.slowRead'
        : undefined;
  if (single) throw new Failure(`${single} works on one thread only; leave --threads out`);
}

function checkWritable(log: string): void {
  try {
    appendFileSync(log, '');
  } catch (error) {
    throw new Failure(`cannot write the log ${log}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
