import os from 'node:os';
import { ExitCode, Failure } from '../../failure.js';
import type { Plan } from '../../scenario/plan.js';
import type { Transport } from '../transport.js';
import type { Turn } from '../turn.js';
import { StdioTransport } from './stdio-transport.js';

/** Processes spoken to over their pipes, for one worker of a plan. */
export function createStdioTransport({ target, workers }: Plan, _ip: string, turn: Turn): Transport {
  const { command } = target;
  if (command === undefined) throw new Failure('over stdio the target is a command', ExitCode.usage);
  return new StdioTransport(command, turn, Math.max(1, Math.floor(os.availableParallelism() / workers)));
}
