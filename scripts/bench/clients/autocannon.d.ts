// The part of autocannon's interface that is used here; the package has no declarations of its own.
declare module 'autocannon' {
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;

  namespace autocannon {
    interface Options {
      url: string;
      connections: number;
      /** Seconds. */
      duration: number;
      method: 'POST';
      headers: Record<string, string>;
      body: string;
    }

    interface Result {
      requests: { total: number };
      /** Seconds. */
      duration: number;
      errors: number;
      non2xx: number;
    }
  }

  export = autocannon;
}
