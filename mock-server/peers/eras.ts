/** The revisions of MCP that know sessions over Streamable HTTP, oldest first; before them there was HTTP+SSE alone. */
export const sessionVersions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** The revisions without sessions. */
export const statelessVersions = ['2026-07-28'] as const;
export const firstStateless = '2026-07-28';
export const newestWithSessions = '2025-11-25';

/** Keys of `_meta` in the stateless era. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The error codes that the stateless era adds. */
export const StatelessCode = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;
