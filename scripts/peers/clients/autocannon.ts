import autocannon from 'autocannon';
import { clientTask, sayAt, sayDone } from './client-lines.js';
import { plainRequests } from './plain-requests.js';

// A client: autocannon, which knows HTTP and no MCP.

const told = clientTask();
const { urls, headers, body } = await plainRequests(told);
sayAt('ready', { sessions: told.sessions, failed: 0 });
await fire(told.warmupSeconds);
sayAt('measuring');
const { requests, duration, errors, non2xx, latency } = await fire(told.seconds);
sayDone({
  sessions: told.sessions,
  calls: requests.total,
  errors: errors + non2xx,
  seconds: duration,
  p50Ms: latency.p50,
  p95Ms: null,
  p99Ms: latency.p99,
  maxMs: latency.max,
  firstError: errors + non2xx === 0 ? null : `${errors} errors, ${non2xx} statuses other than 2xx`,
});

function fire(duration: number): Promise<autocannon.Result> {
  const { sessions: connections, perSecond } = told;
  const paced = perSecond === undefined ? {} : { overallRate: perSecond };
  return autocannon({ url: [...urls], connections, duration, method: 'POST', headers, body, ...paced });
}
