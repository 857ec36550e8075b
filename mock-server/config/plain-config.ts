import type { MockConfig } from './config.js';
import { noFaults } from './faults.js';
import type { FaultConfig } from './faults.js';
import { parseLatency } from '../calls/latency.js';
import { parseShare } from './units.js';

/** The flags of which a configuration can be made without its schema; they are as they were typed. */
export interface PlainFlags {
  readonly seed: string | undefined;
  readonly latency: string | undefined;
  readonly fault: readonly string[];
}

/**
 * What `loadConfig` makes of a few simple flags, without what it needs to understand all of them: that is most of the start of a process which serves one
 * session. Null where there is more to understand, or a mistake to be said.
 */
export function plainConfigOf({ seed, latency, fault }: PlainFlags): MockConfig | null {
  const faults: Partial<Record<keyof FaultConfig, object>> = {};
  for (const text of fault) {
    const found = /^([a-zA-Z0-9]+)(?:=([\d.%/e-]+))?$/.exec(text);
    const rate = found && parseShare(found[2] ?? '100%');
    if (!found || rate === undefined || rate === null || !Object.hasOwn(noFaults, found[1]!)) return null;
    const name = found[1] as keyof FaultConfig;
    faults[name] = { ...noFaults[name], rate };
  }
  if (seed !== undefined && !/^\d{1,15}$/.test(seed)) return null;
  if (latency !== undefined && !isLatency(latency)) return null;
  return {
    seed: seed === undefined ? 1 : Number(seed),
    ...(latency === undefined ? {} : { latency }),
    faults: faults as MockConfig['faults'],
    tools: {},
    resources: {},
    prompts: {},
    completions: { prompts: {}, resources: {} },
    toolsPerPage: 1000,
    wire: {},
    streamable: {},
    stdio: {},
    pushes: { every: 0, bytes: 0 },
    limits: { bodyBytes: 4_194_304, sessions: 100_000, connections: 1_000_000, unreadBytes: 4 * 1024 * 1024 },
    allow: { hosts: [], origins: [] },
  };
}

function isLatency(text: string): boolean {
  try {
    return parseLatency(text).text === text;
  } catch {
    return false;
  }
}
