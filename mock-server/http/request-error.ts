/** A request that is not HTTP as we take it: the status that says so, after which its connection ends. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RequestError';
  }
}
