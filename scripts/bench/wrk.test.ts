import { describe, expect, it } from 'vitest';
import { readWrkOutput } from './wrk.js';

const good = `Running 1s test @ http://127.0.0.1:33071/messages?sessionId=1
  1 threads and 100 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     5.27ms    1.02ms  14.94ms   78.18%
    Req/Sec    19.18k     1.59k   20.94k    80.00%
  Latency Distribution
     50%    5.04ms
     75%    5.60ms
     90%    6.43ms
     99%    9.04ms
  19083 requests in 1.00s, 3.42MB read
Requests/sec:  19082.41
Transfer/sec:      3.42MB
`;

describe('readWrkOutput', () => {
  it('reads a report', () => {
    expect(readWrkOutput(good)).toEqual({
      perSec: 19082.41,
      requests: 19083,
      p50Ns: 5.04e6,
      p99Ns: 9.04e6,
      maxNs: 14.94e6,
      socketErrors: 0,
      badStatuses: 0,
    });
  });

  it.each([
    ['26.00us', 26e3],
    ['1.20s', 1.2e9],
    ['1.50m', 90e9],
  ])('reads a median of %s', (text, ns) => {
    expect(readWrkOutput(good.replace('5.04ms', text)).p50Ns).toBeCloseTo(ns);
  });

  it('has no median where wrk was not asked for it', () => {
    expect(readWrkOutput(good.replace(/ {2}Latency Distribution\n( +\d\d% .*\n)+/, '')).p50Ns).toBeNull();
  });

  it('adds up the errors', () => {
    const text = good.replace(
      'Requests/sec',
      '  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx or 3xx responses: 7\nRequests/sec',
    );
    expect(readWrkOutput(text)).toMatchObject({ socketErrors: 4321, badStatuses: 7 });
  });

  it('refuses what is no report', () => {
    expect(() => readWrkOutput('unable to connect to 127.0.0.1:1 Connection refused')).toThrow(
      /not a report of wrk/,
    );
  });
});
