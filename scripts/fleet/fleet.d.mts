/** A call that is safe to make: the tool, its arguments, and for `echo` the text that comes back. */
export interface FleetCall {
  tool: string;
  arguments: Record<string, unknown>;
  answer?: string;
}

/** `echo`, `sleep`, `payload` and `counter` where the server has them, `cheap` where it has tools of its own only. */
export interface FleetCalls {
  echo?: FleetCall;
  sleep?: FleetCall;
  payload?: FleetCall;
  counter?: FleetCall;
  cheap?: FleetCall;
}

/** HTTP+SSE, the two eras of Streamable HTTP, and those of stdio. */
export type ClientTransport = 'sse' | Era | StdioEra;

/** The eras of stdio, as clients are told them. */
export type StdioEra = 'stdio' | 'stdio-stateless';

/** The eras of Streamable HTTP. */
export type Era = 'sessions' | 'stateless';

/** One way to start a server. */
export interface FleetMode {
  name: string;
  transport: 'sse' | 'streamable' | 'stdio';
  /** Over Streamable HTTP: what bodies the answers to calls have with `initialize` (up to 2025-11-25) and without (2026-07-28), where it serves that. */
  eras?: Partial<Record<Era, 'json' | 'sse'>>;
  /** Whether those of the sessions era begin with a priming event. */
  primes?: true;
}

export interface FleetServer {
  name: string;
  library: string;
  version: string;
  language: string;
  kind: string;
  seed?: string;
  /** The dialect of the seed documents that it is closest to, where it speaks HTTP+SSE. */
  dialect?: 'classic' | 'rmcp' | 'serena' | 'pymcp';
  calls: FleetCalls;
  /** What it can be started as, its default first. */
  modes: FleetMode[];
  /** What the loop around its library's client speaks. */
  clientTransports: ClientTransport[];
  installed: boolean;
  running: { mode: string; pid: number; url: string }[];
}

export interface FleetInstall {
  name: string;
  state: 'installed' | 'present' | 'skipped';
  /** Why it was skipped. */
  reason?: string;
  tookMs: number;
}

export interface FleetCommand {
  command: string[];
  cwd: string;
  /** The whole environment that it needs. */
  env: Record<string, string>;
  /** Undefined over stdio. */
  url: string | undefined;
}

export interface RunningServer {
  name: string;
  mode: string;
  url: string;
  /** The leader of the server's process group. */
  pid: number;
  logFile: string;
  stop(): Promise<void>;
}

export interface Fleet {
  /** Every server with its library, pinned version, whether it is installed, and where it runs. */
  listServers(): FleetServer[];
  /**
   * Installs a server unless it already is, within `limitMs` (default ten minutes); what the machine lacks, time included, becomes
   * the reason of a skip, never an exception.
   */
  install(name: string, options?: { env?: NodeJS.ProcessEnv; limitMs?: number }): Promise<FleetInstall>;
  /** Why a server is not there: its tools are missing, installing it failed, or nobody tried; undefined where it is installed. */
  whyMissing(name: string, options?: { env?: NodeJS.ProcessEnv }): string | undefined;
  /** How to start an installed server by hand on a port, in its first mode unless told; stdio needs no port. */
  commandOf(name: string, port?: number | string, mode?: string): FleetCommand;
  /** How to run the loop around the client of a server's library, as README.md has it under Clients. */
  clientOf(name: string): Omit<FleetCommand, 'url'>;
  /** Starts an installed server on a free port or the given one, ready when it resolves. It ends with this process unless `keep` is set. */
  start(name: string, options?: { keep?: boolean; port?: number; mode?: string }): Promise<RunningServer>;
  /** Ends every running instance of a server, whoever started it, and returns how many there were. */
  stopAll(name: string): Promise<number>;
}

/** A fleet whose servers are described in the folders of `folder` and installed under `home`. */
export function createFleet(fleet: { folder: string; home: string }): Fleet;
export const fleetHome: string;
export const listServers: Fleet['listServers'];
export const install: Fleet['install'];
export const whyMissing: Fleet['whyMissing'];
export const commandOf: Fleet['commandOf'];
export const clientOf: Fleet['clientOf'];
export const start: Fleet['start'];
export const stopAll: Fleet['stopAll'];
