// What a user of k6 would write: one session a VU, one call an iteration. What it is told is in ../../fleet/README.md, Clients.
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import mcp from 'k6/x/mcp';

const told = JSON.parse(__ENV.TOLD);
const took = new Trend('mcp_call', true);
const failed = new Counter('mcp_failed');
const duration = `${told.warmupSeconds + told.seconds}s`;
const closed = { executor: 'constant-vus', exec: 'call', vus: told.sessions, duration };
const paced = {
  executor: 'constant-arrival-rate',
  exec: 'call',
  rate: told.perSecond,
  timeUnit: '1s',
  duration,
  preAllocatedVUs: told.sessions,
  maxVUs: told.sessions,
};

export const options = {
  scenarios: { calls: told.perSecond === undefined ? closed : paced },
  summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
};

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'peers-k6', version: '1' },
};
let session;
let id = 0;

export function call() {
  const { iterationInTest, startTime } = exec.scenario;
  if (iterationInTest === 0) console.log('first iteration');
  session ??= open();
  const ms = session();
  if (Date.now() < startTime + told.warmupSeconds * 1000) return;
  if (ms === null) failed.add(1);
  else took.add(ms);
}

function open() {
  const { transport, tool, url } = told;
  if (transport === 'sse') {
    const opened = mcp.openSse(url);
    return () => opened.call(tool, told.arguments);
  }
  const params = { name: tool, arguments: told.arguments };
  if (transport === 'stateless') {
    const headers = {
      ...json,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': tool,
    };
    return () => post(headers, 'tools/call', { ...params, _meta: stateless });
  }
  const clientInfo = { name: 'peers-k6', version: '1' };
  const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const welcome = http.post(url, message('initialize', about), { headers: json });
  const headers = {
    ...json,
    'MCP-Protocol-Version': '2025-11-25',
    'Mcp-Session-Id': welcome.headers['Mcp-Session-Id'],
  };
  http.post(url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), { headers });
  return () => post(headers, 'tools/call', params);
}

function post(headers, method, params) {
  const answer = http.post(told.url, message(method, params), { headers });
  const { result } = answer.status === 200 ? answer.json() : {};
  return result === undefined || result.isError ? null : answer.timings.duration;
}

function message(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
}

export function handleSummary({ metrics }) {
  return {
    stdout: JSON.stringify({
      calls: metrics.mcp_call?.values,
      failed: metrics.mcp_failed?.values.count ?? 0,
      dropped: metrics.dropped_iterations?.values.count ?? 0,
    }),
  };
}
