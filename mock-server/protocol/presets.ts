import type { DialectName } from './dialects/dialect.js';
import type { WireOptions } from './wire-options.js';

export const presetNames = [
  'ts-sdk',
  'python-sdk',
  'rmcp',
  'mcp-go',
  'pymcp-sse',
  'java-sdk',
  'fastmcp-ts',
] as const;
export type PresetName = (typeof presetNames)[number];

/** A real implementation to imitate: the dialect it speaks and how it departs from it. */
export interface Preset {
  readonly about: string;
  readonly dialect: DialectName;
  readonly wire: Partial<WireOptions>;
}

const seconds = 1e9;

/** The presets of `--like`. */
export const presets: Record<PresetName, Preset> = {
  'ts-sdk': {
    about: 'TypeScript SDK 1.x, SSEServerTransport',
    dialect: 'classic',
    wire: { acceptedChunked: true, methodNotFoundFirst: true, pushMethod: 'notifications/message' },
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
  },
  rmcp: {
    about: 'Rust SDK up to 0.10',
    dialect: 'rmcp',
    wire: { keepAlive: 15 * seconds, queueLimit: 64, queueFull: 'block' },
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
  },
};
