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

export interface FleetServer {
  name: string;
  library: string;
  version: string;
  language: string;
  kind: string;
  seed?: string;
  /** The dialect of the seed documents that it is closest to. */
  dialect: 'classic' | 'rmcp' | 'serena' | 'pymcp';
  calls: FleetCalls;
  installed: boolean;
  running: { pid: number; url: string }[];
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
  url: string;
}

export interface RunningServer {
  name: string;
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
  /** How to start an installed server by hand on a port. */
  commandOf(name: string, port: number): FleetCommand;
  /** Starts an installed server on a free port or the given one, ready when it resolves. It ends with this process unless `keep` is set. */
  start(name: string, options?: { keep?: boolean; port?: number }): Promise<RunningServer>;
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
export const start: Fleet['start'];
export const stopAll: Fleet['stopAll'];
