import { createHmac } from 'node:crypto';
import type { Template } from '../tools/template.js';
import type { TemplateContext } from '../tools/template.js';

/** What a tool or prompt asks its client for at once, by the names of the answers. */
export interface InputRound {
  readonly requests: Readonly<Record<string, { readonly method: string; readonly params: Template }>>;
  /** The client has to bring a `requestState` back. */
  readonly state: boolean;
}

/** What an answer of the client to a round amounts to: all there is to know, another round, or a state that was changed. */
export type InputVerdict =
  | { readonly kind: 'complete'; readonly input: Record<string, unknown> }
  | { readonly kind: 'required'; readonly resultJson: string }
  | { readonly kind: 'tampered' };

interface State {
  readonly round: number;
  readonly input: Record<string, unknown>;
}

const capabilityOf: Record<string, string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Seals what a client carries from one round to the next, so that changes show; without sessions nobody else remembers. */
export class InputRounds {
  private readonly key: string;

  constructor(seed: number) {
    // Threads of one mock must understand each other's seals, and runs with the same seed must look the same.
    this.key = `mcp-bench mock ${seed}`;
  }

  /** Looks at what a request brings: `params.inputResponses` and `params.requestState`. */
  judge(
    rounds: readonly InputRound[],
    params: Record<string, unknown>,
    context: TemplateContext,
    capabilities: Record<string, unknown>,
  ): InputVerdict {
    const { requestState } = params;
    let state: State = { round: 0, input: {} };
    if (requestState !== undefined) {
      const opened = this.open(requestState);
      if (opened === undefined) return { kind: 'tampered' };
      state = opened;
    }
    const round = rounds[state.round];
    if (round === undefined) return { kind: 'complete', input: state.input };
    const names = askedNames(round, capabilities);
    const responses = params['inputResponses'];
    const answered = answersTo(names, responses);
    const proven = !round.state || requestState !== undefined;
    if (answered === undefined || !proven) return this.ask(round, state, names, context);
    const next = { round: state.round + 1, input: { ...state.input, ...answered } };
    const nextRound = rounds[next.round];
    if (nextRound === undefined) return { kind: 'complete', input: next.input };
    return this.ask(nextRound, next, askedNames(nextRound, capabilities), context);
  }

  /** The capabilities that a client lacks to answer any of a round's requests; null where it can answer some. */
  missing(round: InputRound, capabilities: Record<string, unknown>): Record<string, unknown> | null {
    if (askedNames(round, capabilities).length > 0) return null;
    const needed = Object.values(round.requests).map(({ method }) => capabilityOf[method] ?? method);
    return Object.fromEntries(needed.map((name) => [name, {}]));
  }

  private ask(
    round: InputRound,
    state: State,
    names: readonly string[],
    context: TemplateContext,
  ): InputVerdict {
    const requests = names.map((name) => {
      const { method, params } = round.requests[name]!;
      return `${JSON.stringify(name)}:{"method":${JSON.stringify(method)},"params":${params.render(context)}}`;
    });
    const carried = round.state || state.round > 0;
    const stateMember = carried ? `,"requestState":${JSON.stringify(this.seal(state))}` : '';
    const resultJson = `{"resultType":"input_required","inputRequests":{${requests.join(',')}}${stateMember}}`;
    return { kind: 'required', resultJson };
  }

  private seal(state: State): string {
    const text = Buffer.from(JSON.stringify(state)).toString('base64url');
    return `${text}.${this.sign(text)}`;
  }

  private open(sealed: unknown): State | undefined {
    if (typeof sealed !== 'string') return undefined;
    const at = sealed.lastIndexOf('.');
    const text = sealed.slice(0, Math.max(at, 0));
    if (text === '' || this.sign(text) !== sealed.slice(at + 1)) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as State;
  }

  private sign(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url').slice(0, 22);
  }
}

/** What of a round a client can be asked for, by the capabilities that it declared. */
function askedNames(round: InputRound, capabilities: Record<string, unknown>): string[] {
  return Object.keys(round.requests).filter((name) => {
    const needed = capabilityOf[round.requests[name]!.method];
    return needed === undefined || capabilities[needed] !== undefined;
  });
}

/** The answers that were asked for; undefined where one is missing or is no object. */
function answersTo(names: readonly string[], responses: unknown): Record<string, unknown> | undefined {
  if (typeof responses !== 'object' || responses === null || names.length === 0) return undefined;
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const answer = Object.hasOwn(responses, name) ? (responses as Record<string, unknown>)[name] : undefined;
    if (typeof answer !== 'object' || answer === null) return undefined;
    found[name] = answer;
  }
  return found;
}
