import { eraOf } from '../mcp/era.js';
import type { TransportChoice } from '../scenario/plan.js';
import { revisions } from '../scenario/revisions.js';
import {
  discoveredRevision,
  isRevision,
  sessionRevisions,
  statelessRevisions,
  supportedRevisions,
} from './read-discovery.js';
import { strayInHead } from '../wire/head-text.js';
import { type Answer, ask, type Patience } from './ask.js';
import { deleteRequest, discoverRequest, initializeRequest, lookForSigns, type Sign } from './questions.js';
import type { Spoken } from './spoken.js';
import type { TargetAccess } from './target-access.js';

/** What is looked for: a transport and a revision, or whatever there is. */
export interface Wanted {
  readonly transport: TransportChoice;
  readonly protocol: string;
}

/** One question that did not tell, and its answer. */
export interface Attempt {
  readonly question: 'POST server/discover' | 'POST initialize' | 'GET';
  readonly answer: Answer<Sign>;
}

/** What one address came to. */
export interface Examination {
  readonly spoken: Omit<Spoken, 'url'> | null;
  readonly attempts: readonly Attempt[];
}

type Question = (patience: Patience) => Promise<Omit<Spoken, 'url'> | null>;

const goodbyeMs = 2000;

/**
 * Asks what is spoken at one path, in the order of the specification: `server/discover`, `initialize`, and then a GET for the event
 * stream of HTTP+SSE, which is first where the path is called `/sse`; what is not wanted is asked last. A session that this makes is ended again.
 */
export async function examine(
  access: TargetAccess,
  path: string,
  wanted: Wanted,
  { limitMs, signal }: Patience,
): Promise<Examination> {
  const attempts: Attempt[] = [];
  const endsAtMs = performance.now() + limitMs;
  const questions = questionsFor(access, path, wanted, attempts);
  for (const [at, question] of questions.entries()) {
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0 || signal?.aborted) break;
    const spoken = await question({ limitMs: leftMs / (questions.length - at), signal });
    if (spoken !== null) return { spoken, attempts };
    // What TLS refuses once it refuses again.
    if (attempts.at(-1)?.answer.failure?.kind === 'tls') break;
  }
  return { spoken: null, attempts };
}

function questionsFor(
  access: TargetAccess,
  path: string,
  { transport, protocol }: Wanted,
  attempts: Attempt[],
): Question[] {
  const era = protocol === 'auto' ? null : eraOf(protocol);
  const note = (question: Attempt['question'], answer: Answer<Sign>): null => {
    attempts.push({ question, answer });
    return null;
  };
  const discover: Question = async (patience) => {
    const version = era === 'stateless' ? protocol : statelessRevisions[0]!;
    const answer = await ask(access.wiring, discoverRequest(access, path, version), patience, lookForSigns);
    return sse(answer) ?? stateless(answer, version) ?? note('POST server/discover', answer);
  };
  const initialize: Question = async (patience) => {
    const version = era === 'sessions' ? protocol : sessionRevisions[0]!;
    const { answer, spoken } = await sayHello(access, path, version, patience);
    return spoken ?? note('POST initialize', answer);
  };
  const stream: Question = async (patience) => {
    const request = access.heads.stream(path, access.wiring.peer.address);
    const answer = await ask(access.wiring, request, patience, lookForSigns);
    return sse(answer) ?? note('GET', answer);
  };
  // One that was open and only had not begun gets all the time that is left.
  const streamAgain: Question = async (patience) => {
    const before = attempts.find(({ question }) => question === 'GET')?.answer;
    return before?.status === 200 && before.failure?.kind === 'timeout' ? stream(patience) : null;
  };
  // The first revision has no other transport; and who calls its path so is not to be sent POSTs that its server never saw the like of.
  const isNamedSo = transport === 'auto' && era !== 'stateless' && /\/sse\/?(\?|$)/.test(path);
  if (transport === 'sse' || protocol === revisions[0] || isNamedSo)
    return [stream, discover, initialize, streamAgain];
  return era === 'sessions' ? [initialize, discover, stream] : [discover, initialize, stream];
}

/** Asks for a session, once more with a revision that the server names where it does not know ours; ends it again. */
async function sayHello(
  access: TargetAccess,
  path: string,
  wanted: string,
  { limitMs, signal }: Patience,
): Promise<{ answer: Answer<Sign>; spoken: Omit<Spoken, 'url'> | null }> {
  const endsAtMs = performance.now() + limitMs;
  const hello = (version: string): Promise<Answer<Sign>> =>
    ask(
      access.wiring,
      initializeRequest(access, path, version),
      { limitMs: endsAtMs - performance.now(), signal },
      lookForSigns,
    );
  let version = wanted;
  let answer = await hello(version);
  const offered = answer.found?.kind === 'response' ? supportedRevisions(answer.found.response) : [];
  const other = sessionRevisions.find((each) => each !== wanted && offered.includes(each));
  if (other !== undefined && sessions(answer, version) === null) {
    version = other;
    answer = await hello(version);
  }
  const spoken = sse(answer) ?? sessions(answer, version);
  const sessionId = answer.headers?.get('mcp-session-id');
  if (
    sessionId !== undefined &&
    spoken?.transport === 'streamable' &&
    strayInHead('target', sessionId) === null
  ) {
    const goodbye = deleteRequest(access, path, sessionId, spoken.protocolVersion);
    await ask(access.wiring, goodbye, { limitMs: Math.min(goodbyeMs, limitMs) }, () => null);
  }
  return { answer, spoken };
}

function sse({ found, note }: Answer<Sign>): Omit<Spoken, 'url'> | null {
  if (found?.kind !== 'endpoint' || note !== '') return null;
  return { transport: 'sse', era: 'sessions', protocolVersion: 'auto', dialect: found.dialect };
}

function stateless(answer: Answer<Sign>, asked: string): Omit<Spoken, 'url'> | null {
  if (answer.found?.kind !== 'response') return null;
  const version = discoveredRevision(answer.found.response, asked, isOk(answer));
  if (version === null) return null;
  return { transport: 'streamable', era: 'stateless', protocolVersion: version, dialect: null };
}

function sessions(answer: Answer<Sign>, asked: string): Omit<Spoken, 'url'> | null {
  if (answer.found?.kind !== 'response' || !isOk(answer)) return null;
  const { protocolVersion } = (answer.found.response['result'] ?? {}) as { protocolVersion?: unknown };
  if (typeof protocolVersion !== 'string') return null;
  // Every later request has it in its head.
  const usable = isRevision(protocolVersion) && eraOf(protocolVersion) === 'sessions';
  return {
    transport: 'streamable',
    era: 'sessions',
    protocolVersion: usable ? protocolVersion : asked,
    dialect: null,
  };
}

function isOk({ status }: Answer<Sign>): boolean {
  return status !== null && status >= 200 && status <= 299;
}
