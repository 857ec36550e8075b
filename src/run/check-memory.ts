import { ExitCode, Failure } from '../failure.js';
import { ProcessTree } from '../machine/process-tree.js';

const megabyte = 1e6;

/** Refuses to open so many sessions where each is a process like this first one, and all of them would not fit into memory. */
export function checkMemory(
  sessions: number,
  processes: readonly number[],
  availableBytes = process.availableMemory(),
): void {
  if (processes.length === 0) return;
  const ownBytes = ProcessTree.from(processes).privateBytes();
  if (ownBytes === null) return;
  // The first one has taken its part already.
  const neededBytes = ownBytes * (sessions - 1);
  if (neededBytes <= availableBytes) return;
  const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte).toLocaleString('en')} MB`;
  throw new Failure(
    `${sessions} sessions are ${sessions} processes, and the first takes ${megabytes(ownBytes)} of memory for itself: all would need ${megabytes(neededBytes)} more, and ${megabytes(availableBytes)} are available. Lower --sessions.`,
    ExitCode.usage,
  );
}
