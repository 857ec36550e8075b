import { z } from 'zod';
import { loadSchema } from './load-schema.js';
import { revisions } from './revisions.js';
import {
  byteSize,
  duration,
  flag,
  looseText,
  oneOf,
  percentage,
  positive,
  positiveDuration,
  rate,
  section,
  text,
  whole,
} from './schema-values.js';

export const dialects = ['auto', 'classic', 'rmcp', 'serena', 'workspace', 'pymcp'] as const;
export const transports = ['auto', 'sse', 'streamable', 'stdio'] as const;
export const protocols = ['auto', ...revisions] as const;
export const postModes = ['serial', 'pipelined', 'shared'] as const;

const url = text('a URL such as http://127.0.0.1:8765/sse');
const file = text('the path of a file');

const target = section({
  url: url
    .optional()
    .describe(
      'Where the server is; without a path /mcp and /sse are tried. {session} stands for the number of the session, {{env NAME}} reads the environment, {port} is a free port for the command.',
    ),
  command: z
    .array(looseText('a text or a number'), 'expected a list of a program and its arguments')
    .min(1, 'expected a program and its arguments')
    .optional()
    .describe(
      'Starts the server: a program and its arguments, no shell. Alone it is spoken to over stdio, a process for each session; with a url it is an HTTP server there. {{env NAME}} reads the environment.',
    ),
  env: z
    .record(z.string(), looseText('a text'), 'expected a map of names to texts')
    .optional()
    .describe('Added to the environment of the command. {{env NAME}} reads ours.'),
  cwd: text('a folder')
    .optional()
    .describe('Where the command runs, from the folder of this file. Default: that folder.'),
  transport: oneOf(transports)
    .optional()
    .describe(
      'sse: HTTP+SSE; streamable: Streamable HTTP; stdio: a command without a url. Default auto: found out before the run.',
    ),
  protocol: oneOf(protocols)
    .optional()
    .describe('The revision of MCP to speak. Default auto: found out before the run.'),
  listen: flag()
    .optional()
    .describe('Streamable HTTP with sessions: hold a GET stream open in each session, too. Default false.'),
  dialect: oneOf(dialects).optional().describe('Default auto: found out from the first bytes.'),
  headers: z
    .record(z.string(), looseText('the text of a header'), 'expected a map of header names to texts')
    .optional()
    .describe('Extra request headers, on the stream and on every POST. {{env NAME}} reads the environment.'),
  token: text('the name of an environment variable such as $MCP_TOKEN')
    .optional()
    .describe('The environment variable that holds the bearer token, such as $MCP_TOKEN.'),
  unixSocket: file.optional().describe("Connect to this socket instead of the URL's host and port."),
  tls: section({
    ca: file.optional().describe('PEM file of the authorities to trust instead of the built-in ones.'),
    cert: file.optional().describe('PEM file of the client certificate.'),
    key: file.optional().describe('PEM file of its key.'),
    verify: flag().optional().describe("Check the server's certificate. Default true."),
  }).optional(),
  allowForeignEndpoint: flag()
    .optional()
    .describe("Accept an endpoint whose origin is not the stream's. Default false."),
});

const life = section({ calls: whole(1).optional(), time: positiveDuration().optional() });
const lifetime = z.union(
  [
    z
      .string()
      .regex(/^[1-9]\d* calls?$/)
      .transform((text): z.output<typeof life> => ({ calls: Number.parseInt(text, 10) })),
    positiveDuration().transform((time): z.output<typeof life> => ({ time })),
    life,
  ],
  'expected a lifetime such as 20 calls, 10s, or { calls: 20, time: 10s }',
);

interface Idle {
  count?: number;
  share?: number;
}

const sessions = section({
  count: whole(1, 1_000_000).describe('Sessions open at the same time.'),
  open: z
    .union([z.literal('at-once'), rate()], 'expected a rate such as 500/s, or at-once')
    .optional()
    .describe('How fast they are opened: a rate such as 500/s, or at-once (default).'),
  lifetime: lifetime.optional().describe('After it a session ends and a new one takes its place: churn.'),
  end: oneOf(['close', 'abandon'])
    .optional()
    .describe(
      'How a life ends: close (default) waits for the answers, abandon lets the socket just go away.',
    ),
  reconnect: flag().optional().describe('Replace a session whose stream dropped. Default true.'),
  idle: z
    .union(
      [
        whole(0).transform((count): Idle => ({ count })),
        percentage().transform((share): Idle => ({ share })),
      ],
      'expected a number of sessions such as 100, or a percentage such as 95%',
    )
    .optional()
    .describe('How many of the sessions stay open without ever being given a call. Default 0.'),
});

const posts = section({
  mode: oneOf(postModes).describe(
    'serial: one request per connection at a time; pipelined: several; shared: a pool over all sessions.',
  ),
  connections: whole(1, 65_535)
    .optional()
    .describe('Per session if pipelined (default 1), over all sessions if shared (default 16).'),
});

const phase = section({
  name: text('a name').optional().describe('What reports call it. Default: phase and its number.'),
  duration: positiveDuration()
    .optional()
    .describe('How long it takes. count and steps have an end of their own.'),
  load: loadSchema,
});

const expectation = z.union(
  [
    z.literal('echo'),
    section({
      isError: flag().optional().describe('Whether the result is to be an error.'),
      path: text('a path such as content[0].text').optional().describe('Where equals looks in the result.'),
      equals: z.unknown().optional().describe('The value that is to be there.'),
      size: section({ min: byteSize().optional(), max: byteSize().optional() })
        .optional()
        .describe("Bounds for the size of the response event's data."),
    }),
  ],
  'expected echo, or a map with isError, path and equals, or size',
);

const call = section({
  tool: text('the name of a tool').optional().describe('A tool to call.'),
  method: text('a method such as tools/list').optional().describe('Or another method to request.'),
  name: text('a name').optional().describe('What reports call it. Default: the tool or method.'),
  weight: positive().optional().describe('Its part of the mix. Default 1.'),
  arguments: z
    .record(z.string(), z.unknown(), 'expected a map of argument names to values')
    .optional()
    .describe('Arguments of the tool; strings may hold templates such as {{seq}} or {{int 1 20}}.'),
  params: z
    .record(z.string(), z.unknown(), 'expected a map of parameter names to values')
    .optional()
    .describe('Parameters of the method; templates as in arguments.'),
  expect: z
    .union([z.array(expectation), expectation.transform((one) => [one])], 'expected echo, a map, or a list')
    .optional()
    .describe('What the response must be like: echo, or isError, path and equals, size; or several.'),
  inputResponses: z
    .record(z.string(), z.unknown(), 'expected a map of names to answers')
    .optional()
    .describe(
      'What to answer where the server asks for input (2026-07-28), by the name of what it asks for.',
    ),
  timeout: positiveDuration().optional().describe('Time limit of this call. Default timeouts.call.'),
  cancelAfter: positiveDuration()
    .optional()
    .describe('Send notifications/cancelled when it has not been answered for so long.'),
});

const dataFile = section({
  file: file.describe('A .csv, .tsv or .jsonl file, found from the scenario’s folder.'),
  order: oneOf(['given', 'shuffled'])
    .optional()
    .describe('Rows are used in turn: as given (default), or shuffled once by the seed.'),
});
type DataFiles = Record<string, z.output<typeof dataFile>>;
const oneDataFile = z.union([file.transform((file): z.output<typeof dataFile> => ({ file })), dataFile]);

const ruleExpected = 'expected a rule such as "p(99) < 250ms"';
const ruleText = text('a rule such as "p(99) < 250ms"');
const fullRule = section({
  rule: ruleText,
  abortOnFail: flag().optional().describe('End the run as soon as the rule is broken. Default false.'),
});
const rule = z.union(
  [ruleText.transform((rule): z.output<typeof fullRule> => ({ rule })), fullRule],
  ruleExpected,
);

/** A scenario as a person writes it. What it yields has numbers for units and lists and maps for their short forms. */
export const scenarioSchema = section(
  {
    name: text('a name').optional().describe('Default: the name of the file.'),
    target: z
      .union(
        [url.transform((url): z.output<typeof target> => ({ url })), target],
        'expected a URL, or a map with url',
      )
      .optional()
      .describe('The server to load. Default: the built-in mock.'),
    sessions: z
      .union(
        [whole(1, 1_000_000).transform((count): z.output<typeof sessions> => ({ count })), sessions],
        'expected a number of sessions from 1 up, or a map such as { count: 1000, open: 500/s }',
      )
      .describe('How many sessions there are, and how they come and go.'),
    posts: z
      .union(
        [oneOf(postModes).transform((mode): z.output<typeof posts> => ({ mode })), posts],
        `expected one of ${postModes.join(', ')}`,
      )
      .optional()
      .describe('How POSTs use connections. Default serial, as real clients do.'),
    warmup: duration()
      .optional()
      .describe('Load of the first phase, sent before it and not measured. Default 0s.'),
    phases: z.array(phase, 'expected a list of phases').min(1, 'expected at least one phase').optional(),
    load: loadSchema.optional().describe('Short for a single phase.'),
    duration: positiveDuration().optional().describe('Length of that single phase.'),
    calls: z
      .array(call, 'expected a list of calls')
      .min(1, 'expected at least one call')
      .describe('The mix.'),
    data: z
      .union(
        [file.transform((file): DataFiles => ({ data: { file } })), z.record(z.string(), oneDataFile)],
        'expected the path of a file, or a map of names to files',
      )
      .optional()
      .describe('Files that templates read: {{data.column}} for a single one, {{name.column}} for several.'),
    timeouts: section({
      connect: positiveDuration().optional().describe('Default 5s.'),
      handshake: positiveDuration().optional().describe('From the opening to ready. Default 10s.'),
      call: positiveDuration().optional().describe('Default 30s.'),
      idle: positiveDuration().optional().describe('How long a stream may be silent. Default: for ever.'),
    }).optional(),
    openLoop: section({
      inFlight: whole(1).optional().describe('Calls in flight per session at the most. Default 16.'),
      queue: whole(0)
        .optional()
        .describe('Calls waiting at the most. Default: ten seconds of the offered rate.'),
    }).optional(),
    pacing: oneOf(['auto', 'spin', 'timer'])
      .optional()
      .describe('spin costs a core and is exact. Default auto.'),
    seed: whole(0).optional().describe('Of all randomness. Default 1.'),
    workers: whole(1, 1024).optional().describe('Threads. Default: cores − 1.'),
    tags: z
      .record(z.string(), looseText('a text'), 'expected a map of names to texts')
      .optional()
      .describe('Kept in the result.'),
    thresholds: z
      .record(
        z.string(),
        z.union([z.array(rule), rule.transform((one) => [one])], ruleExpected),
        'expected a map of metrics to rules',
      )
      .optional()
      .describe('Rules that decide whether the run passed, such as call.response: ["p(99) < 250ms"].'),
  },
  'expected a scenario: a map with sessions, calls, and phases or load',
);

export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Scenario = z.output<typeof scenarioSchema>;
