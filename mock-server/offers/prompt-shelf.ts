import type { PromptConfig } from '../config/offers-config.js';
import { inputRoundsOf } from '../tools/configured-script.js';
import type { InputRound } from './input-rounds.js';
import { missingField, wrongField } from '../protocol/bad-params.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import { Template } from '../tools/template.js';

const longestQuote = 200;
const builtIn: Record<string, PromptConfig> = {
  greet: {
    description: 'Greets someone.',
    arguments: { name: { description: 'who to greet', required: true } },
    messages: [{ role: 'user', content: { type: 'text', text: 'Please greet {{arguments.name}}.' } }],
  },
};

interface Prompt {
  readonly required: readonly string[];
  readonly result: Template;
  readonly input: readonly InputRound[];
}

/** The prompts of a server: those of the configuration, or one of its own where there are none. */
export class PromptShelf {
  readonly listJson: string;
  private readonly byName = new Map<string, Prompt>();

  constructor(configured: Readonly<Record<string, PromptConfig>>) {
    const all = Object.keys(configured).length > 0 ? configured : builtIn;
    const prompts = Object.entries(all).map(([name, settings]) => {
      const { messages, input, arguments: args, ...about } = settings;
      const { description } = about;
      const result = new Template({ ...(description === undefined ? {} : { description }), messages });
      const required = Object.keys(args ?? {}).filter((one) => args![one]!.required);
      this.byName.set(name, { required, result, input: inputRoundsOf(input) });
      const listed = Object.entries(args ?? {}).map(([argument, more]) => ({ name: argument, ...more }));
      return { name, ...about, ...(listed.length > 0 ? { arguments: listed } : {}) };
    });
    this.listJson = JSON.stringify({ prompts });
  }

  /** What a prompt asks its client for before it can be got. */
  inputOf(name: unknown): readonly InputRound[] {
    return (typeof name === 'string' ? this.byName.get(name)?.input : undefined) ?? [];
  }

  /** The result of `prompts/get`; `input` is what the client has answered. */
  get(params: Record<string, unknown>, input: Record<string, unknown> = {}): string | RpcError {
    const { name, arguments: given } = params;
    if (name === undefined) return missingField('name');
    if (typeof name !== 'string') return wrongField('name', 'a string');
    const prompt = this.byName.get(name);
    if (prompt === undefined)
      return new RpcError(RpcCode.invalidParams, `Unknown prompt: ${name.slice(0, longestQuote)}`);
    const args = (given ?? {}) as Record<string, unknown>;
    for (const required of prompt.required)
      if (typeof args[required] !== 'string') return missingField(required);
    return prompt.result.render({ arguments: args, input });
  }
}
