import { z } from 'zod';
import { durationNs } from './config-fields.js';
import { announced, logLevels } from '../tools/tool-script.js';

const object = z.record(z.string(), z.json());

/** What a tool or prompt asks its client for, round by round. */
export const inputSchema = z.array(
  z.strictObject({
    requests: z.record(
      z.string().min(1),
      z.strictObject({ method: z.string().min(1), params: object.default({}) }),
    ),
    state: z.boolean().default(false).describe('a requestState has to come back'),
  }),
);

/** One thing that a tool does before it answers. */
export const stepSchema = z.union(
  [
    z.strictObject({ wait: durationNs }),
    z.strictObject({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }),
    z.strictObject({
      log: z.json(),
      level: z.enum(logLevels).default('info'),
      logger: z.string().default('mock'),
    }),
    z.strictObject({ notify: z.string().min(1), params: object.default({}) }),
    z.strictObject({
      request: z.string().min(1),
      params: object.default({}),
      as: z.string().min(1).default('client'),
      timeout: durationNs.default(60e9),
    }),
    z.strictObject({ announce: z.enum(announced) }),
    z.strictObject({ update: z.string().min(1) }),
    z.strictObject({ disconnect: z.literal(true) }),
  ],
  { error: 'expected one of wait, progress, log, notify, request, announce, update, disconnect' },
);

/** A resource, or a template of resources where its URI has `{…}`. */
export const resourceSchema = z
  .strictObject({
    name: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    text: z.string().optional().describe('its text; {{uri}} and {{params.…}} are filled in'),
    blob: z.string().optional().describe('or its bytes in base64'),
  })
  .refine(({ text, blob }) => (text === undefined) !== (blob === undefined), {
    error: 'give one of text and blob',
  });
export type ResourceConfig = z.infer<typeof resourceSchema>;

/** A prompt. */
export const promptSchema = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z
    .record(
      z.string(),
      z.strictObject({ description: z.string().optional(), required: z.boolean().default(false) }),
    )
    .optional(),
  messages: z.array(z.json()).describe('as they are; {{arguments.…}} and {{input.…}} are filled in'),
  input: inputSchema.optional(),
});
export type PromptConfig = z.infer<typeof promptSchema>;

const values = z.record(z.string(), z.record(z.string(), z.array(z.string())));

/** What `completion/complete` suggests: by prompt or resource template, and by argument. */
export const completionsSchema = z.strictObject({
  prompts: values.default({}),
  resources: values.default({}),
});
export type CompletionsConfig = z.infer<typeof completionsSchema>;
export type InputConfig = z.infer<typeof inputSchema>;
export type StepConfig = z.infer<typeof stepSchema>;
