import type { DialectName, OperationPlan, TargetPlan } from '../scenario/plan.js';
import { declaredCapabilities } from './declared-capabilities.js';
import { eraOf } from './era.js';

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
   * soon as the channel is open.
   */
  readonly readyAfter: 'initialized' | 'initialize' | 'channel';
  /** What each request has to say of the client, where there are no sessions that know it: its `_meta`. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

const modern = {
  stringIds: false,
  argumentsKey: 'arguments',
  readyAfter: 'initialized',
  meta: null,
} as const;

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  classic: { name: 'classic', ...modern, protocolVersion: '2025-06-18' },
  rmcp: { name: 'rmcp', ...modern, protocolVersion: '2025-03-26' },
  serena: { name: 'serena', ...modern, protocolVersion: '2024-11-05' },
  workspace: {
    name: 'workspace',
    stringIds: true,
    argumentsKey: 'arguments',
    protocolVersion: '2024-11-05',
    readyAfter: 'channel',
    meta: null,
  },
  pymcp: {
    name: 'pymcp',
    stringIds: true,
    argumentsKey: 'kwargs',
    protocolVersion: '0.3.0',
    readyAfter: 'initialize',
    meta: null,
  },
};

const known = 'io.modelcontextprotocol';

/** How to speak to this target, by what its server's first words look like, and with answers to what these operations may be asked. */
export function dialectFor(
  { transport, protocol, dialect }: TargetPlan,
  clientVersion: string,
  operations: readonly Pick<OperationPlan, 'inputResponses'>[] = [],
): (looks: DialectName) => Dialect {
  if (transport === 'sse' || transport === 'auto')
    return (looks) => {
      const seen = dialects[dialect === 'auto' ? looks : dialect];
      return protocol === 'auto' ? seen : { ...seen, protocolVersion: protocol };
    };
  const spoken: Dialect = { ...dialects.classic, protocolVersion: protocol };
  if (eraOf(protocol) === 'sessions') return () => spoken;
  const meta = {
    [`${known}/protocolVersion`]: protocol,
    [`${known}/clientInfo`]: clientInfo(clientVersion),
    [`${known}/clientCapabilities`]: declaredCapabilities(
      operations.flatMap(({ inputResponses }) => Object.values(inputResponses ?? {})),
    ),
  };
  const stateless: Dialect = { ...spoken, readyAfter: 'channel', meta };
  return () => stateless;
}

/** How we introduce ourselves. */
export function clientInfo(version: string): { name: string; version: string } {
  return { name: 'mcp-bench', version };
}
