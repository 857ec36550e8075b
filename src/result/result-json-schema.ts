import { z } from 'zod';
import { resultSchema } from './result.js';

// The published shape of a result file. Not loaded by any command: files of our own are known to fit, and others are read with care as they are.

const count = z.number().int().nonnegative();
const share = z.number().nonnegative();
const ns = z.number().nonnegative();
const counts = z.record(z.string(), count);
const note = z.object({
  code: z.string().describe('Stable, for machines.'),
  message: z.string().describe('For people; may change.'),
});

const outcomes = z
  .object({
    ok: count,
    toolError: count,
    rpcError: counts.describe('By JSON-RPC error code.'),
    httpError: counts.describe('By HTTP status.'),
    checkFailed: count,
    invalidResponse: count,
    timeout: count,
    acceptedNoResponse: count,
    disconnected: count,
    cancelled: count,
    aborted: count,
    notSent: count,
    inputRequired: count.optional(),
  })
  .describe('Each started call is counted in exactly one.');

const percentileKey = z.enum(['p50', 'p90', 'p95', 'p99', 'p999']);
const percentiles = z.object({ p50: ns, p90: ns, p95: ns, p99: ns, p999: ns });

const metric = z
  .object({
    unit: z.literal('ns'),
    count,
    min: ns,
    mean: ns,
    ...percentiles.shape,
    max: ns,
    low: percentiles.optional().describe("The least each can have been without the generator's own part."),
    high: percentiles.optional().describe('The most, where that is not the figure itself.'),
    disturbed: z
      .array(percentileKey)
      .optional()
      .describe('Those whose two ends lie further apart than 0.2 ms and 10 %.'),
    hdr: z.string().describe('HdrHistogram V2, compressed, base64.'),
    leastHdr: z.string().optional().describe('The same of each call at its least.'),
    mostHdr: z.string().optional().describe('The same of each call at its most.'),
  })
  .describe('Times in nanoseconds.');
const metrics = z
  .record(z.string(), metric)
  .describe('By name, as call.response, or by name and tool, as call.response{tool:echo}.');

const cutOff = count.describe('Of the calls never sent: those that still waited when the run was cut short.');

const operation = z.object({
  name: z.string(),
  method: z.string(),
  started: count,
  callsPerSec: share,
  outcomes,
  cutOff: cutOff.optional(),
});

const phaseGenerator = z.object({
  loopUtilisation: z.array(share).describe('Useful work over elapsed time, per worker.'),
  longestTurnMs: share,
  heldUpShare: share
    .describe('Of the time: the generator was kept from running, and calls know what of it was theirs.')
    .optional(),
  pausedShare: share.describe('Of the time: calls may have been read late without knowing it.'),
  stolenCpuShare: share.nullable(),
  wakeDelayMs: share.describe('Only in older results.').optional(),
  ownCpuShare: share.nullable(),
  othersCpuShare: share.nullable(),
  targetCpuShare: share.nullable(),
});

const phaseTotals = z.object({
  started: count,
  sent: count,
  callsPerSec: share,
  offeredPerSec: share.nullable(),
  outcomes,
  cutOff: cutOff.optional(),
});

const availability = z.object({
  upMs: share,
  downMs: share,
  unobservedMs: share,
  share: share.nullable(),
  sessionsReady: share.nullable(),
  outages: count,
  longestDown: z.object({ atMs: share, durationMs: share }).nullable(),
  downSinceMs: share.nullable(),
  gone: z.string().nullable(),
});

const pipes = z
  .object({
    otherLines: count.describe('Lines on standard output that were no JSON.'),
    stderrBytes: count,
    died: count.describe('Processes that had ended before they were asked to.'),
    survivedEof: count.describe('Those that went on after the end of their input.'),
    killed: count.describe('Those of them that SIGKILL alone could end.'),
    leftOthers: count.describe('Those that left other processes behind.'),
  })
  .describe('What was odd about servers that are processes, and how they ended.');

const replies = z
  .object({
    json: count,
    events: count,
    priming: count,
    resumed: count,
    resumeRefused: count,
    jsonAsEvents: count,
    listenRefused: count,
    deleted: count,
    deleteRefused: count,
    left: count,
    inputRounds: count,
  })
  .describe('What the replies of Streamable HTTP were like, and how its sessions ended.');

const oddities = z.object({
  duplicate: count,
  late: count,
  foreign: count,
  coercedId: count,
  malformedEvent: count,
  truncatedEvent: count,
  nullIdError: count,
  serverRequest: counts,
  notification: counts,
  reconnect: count,
  extraConnection: count,
  reconnected: count.optional(),
  strayAnswer: count.optional(),
  sessionLost: count.optional(),
});

const interval = z.object({
  atMs: share.describe('Since the start of the measurement.'),
  durationMs: share,
  totals: z.object({
    started: count,
    ok: count,
    failed: count,
    notSent: count,
    answered: count.optional(),
    cancelled: count.optional(),
    upMs: share.optional(),
    downMs: share.optional(),
    sessionsReady: count,
    inFlight: count,
    bytesIn: count,
    bytesOut: count,
  }),
  metrics: z.record(
    z.string(),
    z.object({
      count,
      p50: ns,
      p99: ns,
      max: ns,
      hdr: z.string().optional(),
      leastHdr: z.string().optional(),
    }),
  ),
});

const threshold = z.object({
  metric: z.string(),
  rule: z.string(),
  value: z.number().nullable(),
  low: z.number().nullable().optional(),
  high: z.number().nullable().optional(),
  limit: z.number(),
  state: z.enum(['pass', 'fail', 'undecided']),
  abortOnFail: z.boolean(),
  detail: z.string(),
});

/** The shape of a result file: what a reader may count on. */
export const resultFile = z.object({
  schema: z.literal(resultSchema),
  tool: z.object({ name: z.literal('mcp-bench'), version: z.string() }),
  name: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: share,
  seed: z.number(),
  scenario: z.looseObject({ name: z.string() }).describe('As run, after overrides; its inside may change.'),
  scenarioHash: z.string(),
  target: z.object({
    url: z.string().optional().describe('Of a server that is reached by its URL.'),
    command: z.array(z.string()).optional().describe('Of a server that is a command, spoken to over stdio.'),
    transport: z.enum(['sse', 'streamable', 'stdio']),
    era: z
      .enum(['sessions', 'stateless'])
      .nullable()
      .optional()
      .describe('MCP in sessions, which begin with initialize, or stateless; null where nothing was spoken.'),
    protocolVersion: z.string().nullable().describe('As the server said in its handshake.'),
    bodies: z
      .array(z.enum(['json', 'sse']))
      .optional()
      .describe('In what kinds of body calls were answered, where the transport has several.'),
    dialect: z.string(),
    server: z.looseObject({ name: z.string(), version: z.string() }).nullable(),
    builtIn: z.boolean(),
    mockStats: z.unknown().optional(),
    resources: z
      .object({
        found: z.enum(['started', 'named', 'port']),
        pids: z.array(count),
        name: z.string(),
        cpuMs: share,
        peakBytes: count,
        processes: count,
        sessions: count.optional().describe('Over stdio: the servers among them, one for each session.'),
        startCpuMs: share.optional().describe('Over stdio: CPU before the measured time.'),
        ended: z.boolean().optional().describe('None of them was left at the end.'),
      })
      .nullable()
      .optional()
      .describe('CPU and memory of a server on this machine, with all that its processes started.'),
  }),
  environment: z.object({
    node: z.string(),
    cpu: z.string(),
    cores: count,
    memoryBytes: count,
    os: z.string(),
    git: z.string().nullable(),
    hostname: z.string(),
    workers: count,
    pacing: z.enum(['spin', 'timer']),
    tags: z.record(z.string(), z.string()),
  }),
  ended: z.enum(['complete', 'interrupted', 'aborted', 'failed']),
  sessions: z.object({
    opened: count,
    ready: count,
    failed: count,
    dropped: count,
    reconnects: count,
    closed: count,
    abandoned: count,
    connectRetries: count,
    failures: counts,
    peakReady: count,
  }),
  totals: z.object({
    ...phaseTotals.shape,
    bytesIn: count,
    bytesOut: count,
    oddities,
    replies: replies.optional(),
    pipes: pipes.optional(),
    conserved: z.boolean(),
    availability: availability.optional(),
  }),
  warmup: z.object({
    started: count,
    sent: count,
    outcomes,
    bytesIn: count.optional(),
    bytesOut: count.optional(),
  }),
  metrics,
  phases: z.array(
    z.object({
      name: z.string(),
      startMs: share,
      durationMs: share,
      totals: phaseTotals,
      metrics,
      operations: z.array(operation),
      generator: phaseGenerator.optional(),
    }),
  ),
  operations: z.array(operation),
  intervals: z.array(interval),
  generator: z.object({
    cpuMsPerWorker: z.array(share),
    loopUtilisation: z.array(share),
    loopDelayP99Ms: z.array(share),
    pausedShare: share.optional(),
    wakeDelayMs: share.optional(),
    longestTurnMs: z.array(share),
    longestGcMs: z.array(share),
    gcMs: z.array(share),
    maxRssBytes: count,
    othersCpuShare: share.nullable(),
    targetCpuShare: share.nullable(),
    stolenCpuShare: share.nullable().optional(),
  }),
  examples: z.record(z.string(), z.string()),
  thresholds: z.array(threshold),
  validity: z.object({
    state: z.enum(['valid', 'suspect']),
    reasons: z.array(note),
    warnings: z.array(note),
  }),
  findings: z.array(note),
});

/** The same as JSON Schema, for other people's tools. */
export function resultJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(resultFile, { io: 'input', target: 'draft-7' }), title: resultSchema };
}
