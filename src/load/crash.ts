/**
 * Ends the worker by this error. For what is thrown in the middle of reading a server's bytes and is not their fault: thrown
 * on, it would end only the connection that they came on, and a run whose course has been lost might never end.
 */
export function crash(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
