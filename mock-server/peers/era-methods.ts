import { InputRequired } from './era-text.js';
import { metaKeys, StatelessCode, statelessVersions } from './eras.js';
import { commonMethods } from '../offers/common-methods.js';
import type { InputRounds } from '../offers/input-rounds.js';
import { logLevels } from '../tools/tool-script.js';
import { missingField, wrongField } from '../protocol/bad-params.js';
import type { Offers } from '../offers/offers.js';
import type { Peer } from './peer.js';
import { resourceNotFound } from '../protocol/methods.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { Stats } from '../stats.js';

type Params = Record<string, unknown>;
type Method = (params: Params) => string | RpcError;

const longestQuote = 200;
const mostSubscriptions = 1000;
const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};
/** Results of the stateless era that say for how long they hold. */
export const cacheable: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** What the methods answer with. */
export interface EraMethodsParts {
  readonly offers: Offers;
  readonly stats: Stats;
  readonly rounds: InputRounds;
  readonly version: string;
}

/** What either era answers to requests, apart from tools/call and subscriptions/listen. */
export class EraMethods {
  readonly serverInfoJson: string;
  private readonly withSessions: Map<string, Method>;
  private readonly withoutSessions: Map<string, Method>;

  constructor(private readonly using: EraMethodsParts) {
    const { offers, version } = using;
    this.serverInfoJson = JSON.stringify({ name: 'mcp-bench mock', version });
    this.withSessions = commonMethods(offers, resourceNotFound);
    this.withoutSessions = commonMethods(offers, RpcCode.invalidParams);
    for (const removed of ['ping', 'logging/setLevel']) this.withoutSessions.delete(removed);
    this.withoutSessions.set('server/discover', () => this.discovered());
  }

  /** The result of an `initialize` that agrees on a revision. */
  initialized(protocolVersion: string): string {
    const facts = JSON.stringify({ protocolVersion, capabilities });
    return `${facts.slice(0, -1)},"serverInfo":${this.serverInfoJson}}`;
  }

  /** Answers a request of a peer with a session; one that has no id keeps no level of logging. */
  ofSession(peer: Peer, method: string, params: Params): string | RpcError {
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe')
      return subscribe(peer, method === 'resources/subscribe', params);
    const run = this.withSessions.get(method);
    if (run === undefined) return methodNotFound(method);
    const outcome = run(params);
    if (method === 'logging/setLevel' && typeof outcome === 'string' && peer.id !== '')
      peer.logLevel = (logLevels as readonly unknown[]).indexOf(params['level']);
    return outcome;
  }

  /** Answers a request that is of no session. */
  stateless(method: string, params: Params): string | RpcError | InputRequired {
    if (method === 'prompts/get') {
      const rounds = this.using.offers.prompts.inputOf(params['name']);
      if (rounds.length > 0) return this.promptInRounds(params);
    }
    return this.withoutSessions.get(method)?.(params) ?? methodNotFound(method);
  }

  private promptInRounds(params: Params): string | RpcError | InputRequired {
    const { stats, rounds: judge } = this.using;
    const { prompts } = this.using.offers;
    const rounds = prompts.inputOf(params['name']);
    const declared = declaredIn(params);
    const unanswerable = params['requestState'] === undefined ? judge.missing(rounds[0]!, declared) : null;
    if (unanswerable !== null)
      return new RpcError(StatelessCode.missingCapability, 'Missing required client capability', {
        requiredCapabilities: unanswerable,
      });
    if (params['inputResponses'] !== undefined) stats.streamable.inputResponses++;
    const verdict = judge.judge(rounds, params, { arguments: objectOf(params['arguments']) }, declared);
    if (verdict.kind === 'complete') return prompts.get(params, verdict.input);
    if (verdict.kind === 'tampered')
      return new RpcError(RpcCode.invalidParams, 'Invalid params: requestState was changed');
    stats.streamable.inputRequired++;
    return new InputRequired(verdict.resultJson);
  }

  private discovered(): string {
    const facts = JSON.stringify({ supportedVersions: statelessVersions, capabilities });
    return `${facts.slice(0, -1)},"_meta":{"${metaKeys.serverInfo}":${this.serverInfoJson}}}`;
  }
}

/** What is wrong with the parameters of `initialize`, if something is. */
export function initializeProblem({ protocolVersion }: Params): RpcError | undefined {
  if (protocolVersion === undefined) return missingField('protocolVersion');
  return typeof protocolVersion === 'string' ? undefined : wrongField('protocolVersion', 'a string');
}

/** The capabilities that a request of the stateless era declares. */
export function declaredIn(params: Params): Record<string, unknown> {
  return objectOf(objectOf(params['_meta'])[metaKeys.capabilities]);
}

/** The error for a tool that there is not, or for a call that names none. */
export function unknownTool(name: unknown): RpcError {
  return typeof name === 'string'
    ? new RpcError(RpcCode.invalidParams, `Unknown tool: ${name.slice(0, longestQuote)}`)
    : missingField('name');
}

/** An object as it is; anything else as an empty one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function methodNotFound(method: string): RpcError {
  return new RpcError(RpcCode.methodNotFound, `Method not found: ${method.slice(0, longestQuote)}`);
}

function subscribe(peer: Peer, on: boolean, { uri }: Params): string | RpcError {
  if (uri === undefined) return missingField('uri');
  if (typeof uri !== 'string') return wrongField('uri', 'a string');
  if (on && peer.subscriptions.size < mostSubscriptions) peer.subscriptions.add(uri);
  else if (!on) peer.subscriptions.delete(uri);
  return '{}';
}
