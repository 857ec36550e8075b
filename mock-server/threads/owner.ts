/** The most threads that one server can have: session ids name theirs in one byte. */
export const mostThreads = 64;

/** A session id of 32 hexadecimal digits that starts with the index of its thread. */
export function ownedHex(hex: string, index: number): string {
  return index.toString(16).padStart(2, '0') + hex.slice(2);
}

/** The thread that a session id names; beyond the last thread for an id that none of them gave out. */
export function ownerOfSession(id: string, threads: number): number {
  const index = Number.parseInt(id.slice(0, 2), 16);
  return index < threads ? index : mostThreads;
}

/** The thread that all streams and messages of a workspace go to. */
export function ownerOfWorkspace(name: string, threads: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % threads;
}
