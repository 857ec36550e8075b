import type { DialectName } from '../scenario/plan.js';

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
}

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
    readyAfter: 'channel',
  },
  pymcp: {
    name: 'pymcp',
    stringIds: true,
    argumentsKey: 'kwargs',
    protocolVersion: '0.3.0',
    readyAfter: 'initialize',
  },
};
