/** Why a connection ended. `kind` is stable and counted; `message` is for people. */
export interface CloseReason {
  readonly kind: 'ended' | 'connect' | 'tls' | 'reset' | 'protocol' | 'limit' | 'timeout' | 'internal';
  readonly message: string;
  /** An unfinished event was dropped. */
  readonly truncated: boolean;
}
