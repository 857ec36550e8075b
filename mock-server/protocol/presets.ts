import type { DialectName } from './dialects/dialect.js';
import type { StreamableOptions } from '../streamable/streamable-options.js';
import type { WireOptions } from './wire-options.js';

export const presetNames = [
  'ts-sdk',
  'ts-sdk-2',
  'server-everything',
  'python-sdk',
  'rmcp',
  'rmcp-3',
  'go-sdk',
  'mcp-go',
  'pymcp-sse',
  'java-sdk',
  'fastmcp-ts',
] as const;
export type PresetName = (typeof presetNames)[number];

/** A real implementation to imitate: the dialect it speaks over HTTP+SSE and how it departs from it, and what it does over Streamable HTTP. */
export interface Preset {
  readonly about: string;
  readonly dialect: DialectName;
  readonly wire: Partial<WireOptions>;
  readonly streamable: Partial<StreamableOptions>;
}

const seconds = 1e9;

/** The presets of `--like`. */
export const presets: Record<PresetName, Preset> = {
  'ts-sdk': {
    about: 'TypeScript SDK 1.x, SSEServerTransport',
    dialect: 'classic',
    wire: { acceptedChunked: true, methodNotFoundFirst: true, pushMethod: 'notifications/message' },
    streamable: { eras: 'sessions', body: 'sse' },
  },
  'ts-sdk-2': {
    about: 'TypeScript SDK 2.x, createMcpHandler',
    dialect: 'classic',
    wire: {},
    // To clients of the era before it answers without sessions.
    streamable: { body: 'sse', headers: 'with-message', sessions: false },
  },
  'server-everything': {
    about: '@modelcontextprotocol/server-everything',
    dialect: 'classic',
    wire: {},
    streamable: { eras: 'sessions', body: 'sse', prime: 'empty', storedEvents: 1000, unknownSession: 400 },
  },
  'python-sdk': {
    about: 'Python SDK, FastMCP (Python), Serena itself',
    dialect: 'serena',
    wire: {
      lineEnding: 'crlf',
      endpoint: 'relative',
      endpointEvent: 'named',
      keepAlive: 15 * seconds,
      redirectMissingSlash: true,
    },
    streamable: { body: 'sse', statelessBody: 'auto', lineEnding: 'crlf' },
  },
  rmcp: {
    about: 'Rust SDK up to 0.10',
    dialect: 'rmcp',
    wire: { keepAlive: 15 * seconds, queueLimit: 64, queueFull: 'block' },
    streamable: {},
  },
  'rmcp-3': {
    about: 'Rust SDK 3',
    dialect: 'rmcp',
    wire: {},
    streamable: {
      body: 'sse',
      prime: 'empty',
      retry: 3 * seconds,
      storedEvents: 1000,
      getStreams: 32,
      deleteStatus: 202,
      cacheScope: 'public',
    },
  },
  'go-sdk': {
    about: 'official Go SDK',
    dialect: 'classic',
    wire: {},
    // With sessions it does not serve the stateless era.
    streamable: { eras: 'sessions', body: 'sse', headers: 'with-message', deleteStatus: 204 },
  },
  'mcp-go': {
    about: 'mcp-go 0.25 and later',
    dialect: 'classic',
    wire: {
      lineEnding: 'mixed-endpoint',
      spaceAfterColon: 'except-requests',
      endpoint: 'absolute',
      messagesPath: '/message',
      acceptedBody: '',
      queueLimit: 100,
      queueFull: 'drop',
      serverPing: 10 * seconds,
      serverPingIds: 'count',
      pushMethod: 'notifications/message',
    },
    streamable: { body: 'auto', getStreams: 1000 },
  },
  'pymcp-sse': {
    about: 'pymcp-sse 0.3.1',
    dialect: 'pymcp',
    wire: {
      lineEnding: 'crlf',
      ack: 'after-work',
      malformedJsonStatus: 500,
      secondInitialize: 'serve',
      initialized: 'error',
      describeToolsMethod: false,
      keepAlive: 30 * seconds,
      keepAliveAs: ['ping-event', 'ping-comment'],
    },
    streamable: {},
  },
  'java-sdk': {
    about: 'Java SDK, Spring',
    dialect: 'classic',
    wire: {
      spaceAfterColon: 'never',
      splitEvents: true,
      messagesPath: '/mcp/message',
      acceptedStatus: 200,
      acceptedBody: '',
      ack: 'after-event',
      initialized: 'gate',
      pushMethod: 'notifications/message',
    },
    streamable: {},
  },
  'fastmcp-ts': {
    about: 'FastMCP (TypeScript)',
    dialect: 'classic',
    wire: {
      earlyNotification: true,
      serverPing: 5 * seconds,
      serverPingIds: 'zero',
      serverPingWaits: true,
      pushMethod: 'notifications/message',
    },
    streamable: {},
  },
};
