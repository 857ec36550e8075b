/** An HTTP server that is listening. */
export interface Engine {
  readonly name: 'uws' | 'node';
  readonly port: number;
  /** Ends all streams, saying why where the dialect can, stops listening and closes what connections are left. */
  close(reason: string): Promise<void>;
}

/** Where an engine listens. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}
