import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Question } from '../config/content-schema.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { Exchange } from './exchange.js';
import { FillIn } from './fill-in.js';

type Inputs = Record<string, unknown>;
type Questions = Record<string, Question>;

/** What comes next of a tool or prompt that asks first: questions, or the answers to all of them. */
export type NextRound =
  | { readonly inputRequests: Questions; readonly requestState?: string }
  | { readonly inputs: Inputs };

/** What the client sent with its request. */
export interface RoundParams {
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** The capabilities that it declares; what it has not got is not asked. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

const missingCapability = -32021;
const capabilityFor: Record<Question['method'], string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/**
 * The rounds of `input_required` (2026-07-28), which leave nothing on the server: where a tool has `state`, its round and the answers so far travel in
 * `requestState`, signed, and for this tool only.
 */
export class InputRounds {
  private readonly key: string;

  constructor(seed: number) {
    this.key = `mcp-bench mock ${seed}`;
  }

  /** What to answer to a request with these params; an error where they are none of ours. */
  next(name: string, { asks = [], state = false }: Exchange, params: RoundParams): NextRound | RpcError {
    const { inputResponses: responses, requestState } = params;
    if (responses !== undefined && !isObject(responses)) return wrong('inputResponses', 'an object');
    let round = 0;
    let inputs: Inputs = {};
    let given: Inputs = responses ?? {};
    if (state) {
      if (requestState === undefined) given = {};
      else {
        const saved = this.open(name, requestState);
        if (saved === undefined) return wrong('requestState', 'the one that came with the questions');
        ({ round, inputs } = saved);
      }
    }
    for (; round < asks.length; round++) {
      const askable = allowed(asks[round]!, params.capabilities);
      if (askable instanceof RpcError) return askable;
      const answered = answersTo(askable, given);
      if (answered instanceof RpcError) return answered;
      inputs = { ...inputs, ...answered };
      const open = Object.entries(askable).filter(([key]) => !Object.hasOwn(inputs, key));
      if (open.length > 0)
        return {
          inputRequests: filled(Object.fromEntries(open), params.arguments),
          ...(state ? { requestState: this.seal(name, { round, inputs }) } : {}),
        };
      // What was answered now says nothing of later questions.
      given = {};
    }
    return { inputs };
  }

  private seal(name: string, saved: { round: number; inputs: Inputs }): string {
    const text = Buffer.from(JSON.stringify(saved)).toString('base64url');
    return `${text}.${this.sign(name, text)}`;
  }

  private open(name: string, state: unknown): { round: number; inputs: Inputs } | undefined {
    if (typeof state !== 'string') return undefined;
    const [text = '', ...rest] = state.split('.', 3);
    const signature = Buffer.from(rest.join('.'));
    const expected = Buffer.from(this.sign(name, text));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as { round: number; inputs: Inputs };
  }

  private sign(name: string, text: string): string {
    return createHmac('sha256', this.key).update(`${name}\n${text}`).digest('base64url');
  }
}

/** The error for a request that needs capabilities which the client did not declare; undefined where it did. */
export function lacking(
  needs: Readonly<Record<string, unknown>> | undefined,
  declared: Readonly<Record<string, unknown>>,
): RpcError | undefined {
  const missing = Object.entries(needs ?? {}).filter(([name]) => !isObject(declared[name]));
  if (missing.length === 0) return undefined;
  return new RpcError(missingCapability, 'Missing required client capability', {
    requiredCapabilities: Object.fromEntries(missing),
  });
}

/** Questions with the arguments of the request filled in. */
export function filled(questions: Questions, args: Readonly<Record<string, unknown>> = {}): Questions {
  return JSON.parse(new FillIn(questions).json({ arguments: args })) as Questions;
}

// What the client cannot be asked is left out; where nothing is left, the request cannot be served.
function allowed(round: Questions, capabilities: Readonly<Record<string, unknown>>): Questions | RpcError {
  const all = Object.entries(round);
  const askable = all.filter(([, { method }]) => isObject(capabilities[capabilityFor[method]]));
  if (askable.length > 0) return Object.fromEntries(askable);
  const needs = Object.fromEntries(all.map(([, { method }]) => [capabilityFor[method], {}]));
  return lacking(needs, capabilities)!;
}

function answersTo(questions: Questions, given: Inputs): Inputs | RpcError {
  const answers: Inputs = {};
  for (const key of Object.keys(questions)) {
    if (!Object.hasOwn(given, key)) continue;
    if (!isObject(given[key])) return wrong(`inputResponses.${key}`, 'an object');
    answers[key] = given[key];
  }
  return answers;
}

function wrong(field: string, expected: string): RpcError {
  return new RpcError(RpcCode.invalidParams, `Invalid params: field '${field}' must be ${expected}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
