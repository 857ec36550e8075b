import { z } from 'zod';
import { flag, looseText, positiveDuration, section, text } from '../scenario/schema-values.js';

const word = looseText('a text or a number');
const words = z.union([z.array(word), word.transform((one) => [one])], 'expected a text, or a list of them');

/** Options of the built-in mock, by the names that `serve-mock` has for them; lists are given several times. */
const mockOptions = section({
  dialect: words.optional(),
  like: words.optional(),
  config: words.optional(),
  latency: words.optional(),
  fault: words.optional(),
  freeze: words.optional(),
  'keep-alive': words.optional(),
  ack: words.optional(),
  'line-ending': words.optional(),
  set: words.optional(),
  seed: words.optional(),
  engine: words.optional(),
  threads: words.optional(),
});

// What the scenario's schema checks once a target is put into it: here it may be anything.
const asInScenario = z.unknown().optional();

const target = section({
  name: text('a name').describe('What reports call it.'),
  about: text('a text').optional().describe('Shown beside it, such as the version of its library.'),
  command: z
    .union(
      [text('a command'), z.array(word).min(1, 'expected a program and its arguments')],
      'expected a command: a text for a shell, or a list of a program and its arguments',
    )
    .optional()
    .describe(
      'Starts the server. {port} stands for a free port, which it also finds in PORT. A list without a url is spoken to over stdio, a process for each session.',
    ),
  mock: z
    .union([z.literal(true), mockOptions], 'expected true, or options of serve-mock such as { latency: 5ms }')
    .optional()
    .describe('The built-in mock instead of a command.'),
  url: text('a URL such as http://127.0.0.1:{port}/sse')
    .optional()
    .describe('Where its event stream is; {port} as in the command. Without a command it runs already.'),
  cwd: text('a folder')
    .optional()
    .describe('Where the command runs, from the folder of this file. Default: that folder.'),
  env: z
    .record(z.string(), looseText('a text'), 'expected a map of names to texts')
    .optional()
    .describe('Added to its environment; {port} as in the command.'),
  inheritEnv: flag().optional().describe('Whether it also gets our environment. Default true.'),
  ready: positiveDuration().optional().describe('How long it may take to become ready. Default 30s.'),
  calls: asInScenario.describe("Asked of this target instead of the scenario's calls."),
  transport: asInScenario,
  protocol: asInScenario,
  listen: asInScenario,
  dialect: asInScenario,
  headers: asInScenario,
  token: asInScenario,
  unixSocket: asInScenario,
  tls: asInScenario,
  allowForeignEndpoint: asInScenario,
});

/** A file of targets as a person writes it. */
export const targetsSchema = section(
  {
    targets: z
      .array(target, 'expected a list of targets')
      .min(1, 'expected at least one target')
      .max(60, 'expected at most 60 targets'),
  },
  'expected a map with targets',
);

export type TargetInput = z.output<typeof target>;
