/** What was wrong with the peer's bytes; stable, so that it can be counted by kind. */
export type WireErrorKind =
  | 'bad-status-line'
  | 'bad-header'
  | 'head-too-large'
  | 'bad-length'
  | 'bad-transfer-encoding'
  | 'bad-chunk'
  | 'body-too-large'
  | 'unexpected-upgrade'
  | 'unexpected-bytes'
  | 'truncated'
  | 'event-too-large'
  | 'line-too-large';

/** The peer broke the rules of HTTP, SSE or stdio: data about the target, never a bug of ours. */
export class WireError extends Error {
  constructor(
    readonly kind: WireErrorKind,
    message: string,
  ) {
    super(message);
    this.name = 'WireError';
  }
}
