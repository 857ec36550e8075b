/** The flags of `mcp-bench serve-mock`. */
export interface MockFlags {
  port?: number;
  host?: string;
  dialect?: string;
  like?: string;
  config?: string;
  latency?: string;
  fault: string[];
  freeze?: string;
  'keep-alive'?: string;
  ack?: string;
  'line-ending'?: string;
  set: string[];
  seed?: string;
  engine?: 'uws' | 'node';
  threads?: number;
  log?: string;
  conformance: boolean;
  stdio: boolean;
  'ignore-eof': boolean;
  'stats-file'?: string;
  json: boolean;
}
