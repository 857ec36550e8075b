import { z } from 'zod';
import { bodyBytes, bytes, durationNs, share, textBytes } from './config-fields.js';
import { completionsSchema, inputSchema, promptSchema, resourceSchema, stepSchema } from './offers-config.js';
import { dialectNames } from '../protocol/dialects/dialect.js';
import { latencyForms, parseLatency } from '../calls/latency.js';
import { noFaults } from './faults.js';
import { presetNames } from '../protocol/presets.js';
import type { FaultName } from '../stats.js';
import { streamableSchema } from '../streamable/streamable-options.js';
import { stdioSchema } from '../stdio/stdio-options.js';
import { wireSchema } from '../protocol/wire-options.js';

/** A fault: its share of the calls alone, or an object with more about it. */
function fault<T extends z.core.$ZodLooseShape>(more: T) {
  const whole = z.strictObject({ rate: share, ...more });
  return z.preprocess(
    (value) => (typeof value === 'object' && value !== null ? value : { rate: value }),
    whole,
  );
}

const faultShape = {
  rpcError: fault({
    code: z.int().default(noFaults.rpcError.code),
    message: z.string().default(noFaults.rpcError.message),
  }).describe('a JSON-RPC error instead of a result'),
  toolError: fault({ message: z.string().default(noFaults.toolError.message) }).describe('a failed tool'),
  httpError: fault({ status: z.int().min(400).max(599).default(noFaults.httpError.status) }).describe(
    'the POST is refused, nothing follows',
  ),
  lost: fault({}).describe('accepted, and never answered'),
  duplicate: fault({}).describe('the response is sent twice'),
  misrouted: fault({}).describe('the response goes to another open session'),
  cut: fault({}).describe('the stream is broken off instead of the answer'),
  eventBefore202: fault({ gap: durationNs.default(noFaults.eventBefore202.gap) }).describe(
    'the event is written first, the 202 follows after the gap (needs clients that do not pipeline POSTs)',
  ),
  ackAfterWork: fault({}).describe(
    'the 202 comes only when the work is done (needs clients that do not pipeline POSTs)',
  ),
  heldPost: fault({ for: durationNs.default(noFaults.heldPost.for) }).describe(
    'the 202 is held back that long, whenever the event comes (needs clients that do not pipeline POSTs)',
  ),
  unansweredPost: fault({}).describe(
    'the POST is never answered, the event comes (needs clients that do not pipeline POSTs)',
  ),
  splitEvent: fault({}).describe('the event is written in two pieces, a moment apart'),
  serverRequest: fault({}).describe('a `ping` request of the server goes before the answer'),
  push: fault({}).describe('a notification goes before the answer'),
  slowRead: fault({ for: durationNs.default(noFaults.slowRead.for) }).describe(
    'the POST is taken from the socket only after that time (needs clients that do not pipeline POSTs)',
  ),
} satisfies Record<FaultName, z.ZodType>;

const faultsSchema = z.strictObject(faultShape).partial();
// How a POST is read is decided before anyone can know which tool it calls.
const toolFaultsSchema = faultsSchema.omit({ slowRead: true });

// Kept as text, so that a configuration can be sent to a thread.
const latencyExpected = `expected ${latencyForms}`;
const latency = z
  .union([z.string(), z.literal(0)], { error: latencyExpected })
  .transform((value, context) => {
    try {
      return parseLatency(String(value)).text;
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

const argumentTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;

const toolSchema = z
  .strictObject({
    description: z.string().optional(),
    arguments: z
      .record(z.string(), z.enum([...argumentTypes, ...argumentTypes.map((type) => `${type}?` as const)]))
      .optional()
      .describe('the types of its arguments; `string?` for one that may be missing'),
    title: z.string().optional(),
    inputSchema: z
      .looseObject({ type: z.literal('object') })
      .optional()
      .describe('or a JSON Schema of them, as it is'),
    outputSchema: z.record(z.string(), z.json()).optional(),
    annotations: z.record(z.string(), z.json()).optional(),
    content: z
      .array(z.json())
      .optional()
      .describe('the content of its result, as it is; {{arguments.…}} is filled in'),
    structured: z.json().optional().describe('the structured content of its result'),
    steps: z.array(stepSchema).optional().describe('what it does before it answers'),
    requires: z
      .record(z.string(), z.json())
      .optional()
      .describe('the capabilities that its client must have declared'),
    input: inputSchema.optional().describe('what it asks its client for, round by round'),
    result: z.json().optional().describe('what it returns, always the same'),
    resultBytes: textBytes.optional().describe('or a text of that size'),
    fails: z.string().optional().describe('or it always fails, with this message'),
    latency: latency.optional(),
    work: z
      .int()
      .min(0)
      .max(1e9)
      .optional()
      .describe('rounds of arithmetic that each call computes, keeping the server busy; a delay would not'),
    faults: toolFaultsSchema.optional(),
  })
  .refine(
    ({ result, resultBytes, fails }) =>
      [result, resultBytes, fails].filter((one) => one !== undefined).length <= 1,
    {
      error: 'give one of result, resultBytes and fails, not several',
    },
  );
export type ToolConfig = z.infer<typeof toolSchema>;

/** The mock's configuration file, and what every flag ends up in. */
export const configSchema = z.strictObject({
  dialect: z.enum([...dialectNames, 'all']).optional(),
  like: z.enum(presetNames).optional(),
  seed: z.int().min(0).default(1),
  latency: latency.optional(),
  faults: faultsSchema.default({}),
  tools: z.record(z.string().min(1), toolSchema).default({}),
  resources: z.record(z.string().min(1), resourceSchema).default({}),
  prompts: z.record(z.string().min(1), promptSchema).default({}),
  completions: completionsSchema.prefault({}),
  toolsPerPage: z.int().min(1).default(1000),
  wire: wireSchema.partial().default({}),
  streamable: streamableSchema.partial().default({}),
  stdio: stdioSchema.partial().default({}),
  pushes: z
    .strictObject({ every: durationNs.default(0), bytes: textBytes.default(0) })
    .default({ every: 0, bytes: 0 }),
  freeze: z
    .strictObject({ at: durationNs, every: durationNs.default(0), for: durationNs })
    .optional()
    .describe('the whole server stands still; `at` counts from the first tools/call'),
  limits: z
    .strictObject({
      bodyBytes: bodyBytes.default(4_194_304),
      sessions: z.int().min(1).default(100_000),
      connections: z.int().min(1).default(1_000_000),
      unreadBytes: bytes.default(4 * 1024 * 1024),
    })
    .prefault({}),
  allow: z
    .strictObject({
      hosts: z.array(z.string()).default([]).describe('names of this server besides loopback; "*" for any'),
      origins: z.array(z.string()).default([]).describe('web origins besides loopback; "*" for any'),
    })
    .prefault({}),
});
export type MockConfig = z.infer<typeof configSchema>;
export type MockConfigInput = z.input<typeof configSchema>;
