/** An HTTP server that is listening. */
export interface Engine {
  readonly name: 'uws' | 'node';
  readonly port: number;
  /** Stops listening and closes what connections are left. */
  close(): Promise<void>;
}

/** Where an engine listens. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}
