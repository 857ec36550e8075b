import type { PromptConfig } from '../config/content-schema.js';
import { FillIn } from './fill-in.js';
import type { Exchange } from './exchange.js';

/** A prompt of the server. */
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly required: readonly string[];
  readonly exchange: Exchange | undefined;
  /** The members of its result, for arguments and for what the client was asked. */
  members(args: Record<string, unknown>, inputs: Record<string, unknown>): string;
  /** What may be completed, by argument. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const builtIn: Record<string, PromptConfig> = {
  greet: {
    description: 'Greets someone.',
    arguments: { name: { description: 'who to greet', required: true } },
    messages: [{ role: 'user', content: { type: 'text', text: 'Please greet ${arguments.name}.' } }],
  },
};

/** The prompts of a server, built-in and configured, by name. */
export class PromptBox {
  /** The members of the result of `prompts/list`. */
  readonly list: string;
  readonly byName: ReadonlyMap<string, Prompt>;

  constructor(prompts: Record<string, PromptConfig>) {
    const all = Object.entries({ ...builtIn, ...prompts });
    this.byName = new Map(all.map(([name, prompt]) => [name, promptOf(name, prompt)]));
    const listed = all.map(([name, { arguments: args }]) => ({
      name,
      description: this.byName.get(name)!.description,
      ...argumentList(args),
    }));
    this.list = `"prompts":${JSON.stringify(listed)}`;
  }
}

function argumentList(args: PromptConfig['arguments']): object {
  const listed = Object.entries(args).map(([name, { description, required }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    required,
  }));
  return listed.length > 0 ? { arguments: listed } : {};
}

function promptOf(name: string, prompt: PromptConfig): Prompt {
  const { description = `The prompt ${name} of the configuration.`, arguments: args, asks, state } = prompt;
  const messages = new FillIn(prompt.messages);
  const start = `"description":${JSON.stringify(description)},"messages":`;
  return {
    name,
    description,
    required: Object.keys(args).filter((each) => args[each]!.required),
    exchange: asks && { asks, state: state ?? false },
    members: (given, inputs) => start + messages.json({ arguments: given, inputs }),
    values: new Map(Object.entries(args).map(([each, { values }]) => [each, values ?? []])),
  };
}
