import { parseBounded } from '../wire/parse-bounded.js';

/** What a client must know of the way a server speaks. */
export interface Dialect {
  readonly name: DialectName;
  /** Ids go out as JSON strings. */
  readonly stringIds: boolean;
  /** What `tools/call` calls its arguments. */
  readonly argumentsKey: 'arguments' | 'kwargs';
  readonly protocolVersion: string;
  /**
   * When load may begin: after the acceptance of `notifications/initialized`, after the initialize response alone, or as
   * soon as the stream is open.
   */
  readonly readyAfter: 'initialized' | 'initialize' | 'stream';
}

export type DialectName = 'classic' | 'rmcp' | 'serena' | 'workspace' | 'pymcp';

const modern = { stringIds: false, argumentsKey: 'arguments', readyAfter: 'initialized' } as const;

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  classic: { name: 'classic', ...modern, protocolVersion: '2025-06-18' },
  rmcp: { name: 'rmcp', ...modern, protocolVersion: '2025-03-26' },
  serena: { name: 'serena', ...modern, protocolVersion: '2024-11-05' },
  workspace: {
    name: 'workspace',
    stringIds: true,
    argumentsKey: 'arguments',
    protocolVersion: '2024-11-05',
    readyAfter: 'stream',
  },
  pymcp: {
    name: 'pymcp',
    stringIds: true,
    argumentsKey: 'kwargs',
    protocolVersion: '0.3.0',
    readyAfter: 'initialize',
  },
};

/** What the first usable event of a stream says: the dialect by its looks, and where to post (null: to the stream's own path). */
export interface Opening {
  readonly dialect: DialectName;
  readonly endpoint: string | null;
}

/** Reads an event as the opening of a stream; null where it is not one and the next event must be waited for. */
export function readOpening(event: string, data: string): Opening | null {
  if (event === 'lifecycle') {
    return /"method"\s*:\s*"streamOpened"/.test(data) ? { dialect: 'workspace', endpoint: null } : null;
  }
  if (event !== 'endpoint' && event !== '') return null;
  const text = data.trim();
  if (text.startsWith('{')) return event === 'endpoint' ? readJsonEndpoint(text) : null;
  if (event === '' && !/^(https?:\/\/|\/)\S+$/i.test(text)) return null;
  return { dialect: event === '' ? 'serena' : dialectOfEndpoint(text), endpoint: text };
}

function readJsonEndpoint(text: string): Opening | null {
  try {
    const { endpoint } = parseBounded(text) as { endpoint?: unknown };
    return typeof endpoint === 'string' ? { dialect: 'pymcp', endpoint } : null;
  } catch {
    return null;
  }
}

function dialectOfEndpoint(endpoint: string): DialectName {
  if (/\/message\?sessionId=/.test(endpoint)) return 'rmcp';
  if (/[?&]session_id=/.test(endpoint)) return 'serena';
  return 'classic';
}
