// The part of autocannon's interface that is used here and by the benchmarks; the package has no declarations of its own.
declare module 'autocannon' {
  import type { SecureContext } from 'node:tls';

  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;

  namespace autocannon {
    interface Options {
      /** Of several, connections are dealt out in turn. */
      url: string | string[];
      connections: number;
      /** Seconds. */
      duration: number;
      method: 'POST';
      headers: Record<string, string>;
      body: string;
      /** Requests in a second over all connections; flat out without it. */
      overallRate?: number;
      /** Milliseconds between samples; the result is taken with the last of them. */
      sampleInt?: number;
      /** Seconds. */
      timeout?: number;
      socketPath?: string;
      /** For tls.connect. */
      tlsOptions?: { secureContext: SecureContext };
    }

    interface Result {
      requests: { total: number };
      /** Seconds. */
      duration: number;
      errors: number;
      '2xx': number;
      non2xx: number;
      /** Milliseconds. */
      latency: { p50: number; p99: number; max: number };
      statusCodeStats: Record<string, { count: number }>;
    }
  }

  export = autocannon;
}
