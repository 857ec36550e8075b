import { z } from 'zod';
import { durationNs } from './config-fields.js';

const json = z.record(z.string(), z.json());
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

const question = z.strictObject({
  method: z.enum(['elicitation/create', 'sampling/createMessage', 'roots/list']),
  params: json.default({}),
});
export type Question = z.infer<typeof question>;

/** What is asked of the client before a tool or a prompt gives its result: rounds of questions by name. */
const rounds = z
  .array(z.record(z.string().min(1), question).refine((round) => Object.keys(round).length > 0))
  .min(1)
  .describe('what the client is asked first: rounds of questions by name, `{ name: { method, params } }`');
const state = z
  .boolean()
  .describe('2026-07-28: the questions carry a signed requestState, and only what it goes with is taken');

/** Keys of a tool that say what happens besides its result. */
export const toolExchange = {
  progress: z
    .strictObject({
      steps: z.array(z.number()).min(1),
      total: z.number().optional(),
      every: durationNs.default(0),
    })
    .optional()
    .describe('notifications of progress before the result, for a call with a progressToken'),
  logs: z
    .strictObject({
      level: z.enum(levels).default('info'),
      data: z.array(z.json()).min(1),
      every: durationNs.default(0),
    })
    .optional()
    .describe('log messages before the result'),
  asks: rounds.optional(),
  state: state.optional(),
  needs: json.optional().describe('2026-07-28: client capabilities without which the call is refused'),
  changes: z
    .enum(['tools', 'prompts', 'resources'])
    .optional()
    .describe('the list that each call says has changed'),
};

const argument = z.strictObject({
  description: z.string().optional(),
  required: z.boolean().default(true),
  values: z.array(z.string()).max(100).optional().describe('what completion/complete offers'),
});

const promptSchema = z
  .strictObject({
    description: z.string().optional(),
    arguments: z.record(z.string().min(1), argument).default({}),
    messages: z.array(json).min(1),
    asks: rounds.optional(),
    state: state.optional(),
  })
  .refine(roundsHaveState, { error: 'several rounds of asks need state: true', path: ['state'] });
export type PromptConfig = z.infer<typeof promptSchema>;

const contents = {
  name: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().default('text/plain'),
  text: z.string().optional(),
  blob: z.base64().optional(),
};
const oneContent = ({ text, blob }: { text?: string | undefined; blob?: string | undefined }): boolean =>
  (text === undefined) !== (blob === undefined);
const needsOne = { error: 'give either text or blob' };

const resourceSchema = z.strictObject(contents).refine(oneContent, needsOne);
export type ResourceConfig = z.infer<typeof resourceSchema>;

// One variable must end before the next begins: else nothing says where.
const uriTemplate = z
  .string()
  .regex(/\{\w+\}/, { error: 'expected a URI with variables, such as test://{id}/data' })
  .refine((text) => !text.includes('}{'), { error: 'expected something between two variables' });

const templateSchema = z
  .strictObject({
    ...contents,
    values: z.record(z.string(), z.array(z.string()).max(100)).default({}).describe('completions'),
  })
  .refine(oneContent, needsOne);
export type ResourceTemplateConfig = z.infer<typeof templateSchema>;

/** Whether each round can be told from the one before it. */
export function roundsHaveState({
  asks,
  state,
}: {
  asks?: readonly unknown[] | undefined;
  state?: boolean | undefined;
}): boolean {
  return asks === undefined || asks.length === 1 || state === true;
}

/** What a server has besides tools. In texts `${arguments.name}`, `${inputs.name.content.text}` and `${variable}` are filled in. */
export const contentSchema = {
  prompts: z.record(z.string().min(1), promptSchema).default({}),
  resources: z.record(z.url(), resourceSchema).default({}),
  resourceTemplates: z.record(uriTemplate, templateSchema).default({}),
};
