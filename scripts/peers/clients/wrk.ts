import { runWrk } from '../../bench/wrk.js';
import { clientTask, sayAt, sayDone } from './client-lines.js';
import { plainRequests } from './plain-requests.js';

// A client: wrk, which knows HTTP and no MCP.

const told = clientTask();
const { urls, headers, body } = await plainRequests(told);
const wrk = { url: urls[0]!, headers, body, connections: told.sessions, pipelined: 1 };
sayAt('ready', { sessions: told.sessions, failed: 0 });
await runWrk({ ...wrk, seconds: told.warmupSeconds });
sayAt('measuring');
const { perSec, requests, p50Ns, p99Ns, maxNs } = await runWrk({ ...wrk, seconds: told.seconds });
const ms = (ns: number | null): number | null => (ns === null ? null : ns / 1e6);
sayDone({
  sessions: told.sessions,
  calls: requests,
  errors: 0,
  seconds: requests / perSec,
  p50Ms: ms(p50Ns),
  p95Ms: null,
  p99Ms: ms(p99Ns),
  maxMs: ms(maxNs),
  firstError: null,
});
