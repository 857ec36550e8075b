import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { configSchema } from './config.js';
import type { MockConfig, MockConfigInput } from './config.js';
import type { Engine } from './engine.js';
import { frontOf } from './front.js';
import { realLoop } from './loop.js';
import { MockApp } from './mock-app.js';
import { serveNode } from './node-server.js';
import type { StatsSnapshot } from './stats.js';
import { loadUws, serveUws } from './uws-server.js';

/** What `serveMock` can be told; everything that the configuration file knows can stand here too. */
export interface ServeMockOptions extends MockConfigInput {
  /** 0 (the default) takes any free port. */
  port?: number;
  host?: string;
  engine?: 'uws' | 'node';
  /** Writes one JSON line per call to this file. */
  log?: string;
}

/** A mock that is listening. */
export interface RunningMock {
  /** Where its event stream is; with dialect `all`, where its server is. */
  readonly url: string;
  readonly port: number;
  readonly engine: 'uws' | 'node';
  readonly dialect: string;
  stats(): Promise<StatsSnapshot>;
  close(): Promise<void>;
}

/** Starts the mock MCP server in this process. */
export async function serveMock(options: ServeMockOptions = {}): Promise<RunningMock> {
  const { port = 0, host = '127.0.0.1', engine: wanted, log, ...rest } = options;
  const config = configSchema.parse(rest);
  return start(config, { port, host, log, engine: wanted });
}

async function start(
  config: MockConfig,
  {
    port,
    host,
    log,
    engine: wanted,
  }: { port: number; host: string; log?: string | undefined; engine?: 'uws' | 'node' | undefined },
): Promise<RunningMock> {
  let baseUrl = '';
  const app = new MockApp(config, {
    loop: realLoop(),
    newSessionHex: () => randomBytes(16).toString('hex'),
    version: version(),
    baseUrl: () => baseUrl,
    ...(log === undefined ? {} : { logFile: log }),
  });
  const dialect = app.sites.length > 1 ? 'all' : app.sites[0]!.dialect.name;
  let engine: Engine | undefined;
  const snapshot = (reset: boolean): StatsSnapshot => {
    const found = app.stats.snapshot({ engine: engine!.name, dialect, threads: 1, seed: config.seed });
    if (reset) app.stats.reset();
    return found;
  };
  const front = frontOf(app, isLoopback(host), (reset, done) => done(snapshot(reset)));
  const uws = wanted === 'node' ? undefined : await loadUws();
  engine =
    uws === undefined || uws instanceof Error
      ? await serveNode(front, { host, port })
      : await serveUws(uws, front, { host, port });
  baseUrl = `http://${isIP(host) === 6 ? `[${host}]` : host}:${engine.port}`;
  const [site] = app.sites;
  const path =
    dialect === 'all' ? '/' : site!.streamPath + (site!.dialect.sessionParam === '' ? 'bench' : '');
  return {
    url: baseUrl + path,
    port: engine.port,
    engine: engine.name,
    dialect,
    stats: () => Promise.resolve(snapshot(false)),
    close: async () => {
      app.close('shutdown');
      await engine.close();
    },
  };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function version(): string {
  // dist/mock-server and mock-server lie at different depths below package.json.
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version?: string };
      if (found.version) return found.version;
    } catch {
      // the other depth
    }
  }
  return '0.0.0';
}
