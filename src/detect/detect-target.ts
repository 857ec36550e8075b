import { ExitCode, Failure } from '../failure.js';
import { eraOf } from '../mcp/era.js';
import type { TargetPlan } from '../scenario/plan.js';
import { redact } from '../text/secrets.js';
import { parseTarget } from '../transport/http/address.js';
import type { Patience } from './ask.js';
import { detectCommand } from './detect-command.js';
import { describeFailure, type NotSpoken, type Tried } from './describe-failure.js';
import { examine, type Wanted } from './examine.js';
import { type Spoken, spokenText } from './spoken.js';
import { accessTarget, type TargetAccess } from './target-access.js';

export interface DetectionLimits {
  /** To connect, and to find the address of the host. */
  readonly connectMs: number;
  /** Over all questions together. */
  readonly answersMs: number;
}

/**
 * Finds out which transport, era and revision of MCP a target speaks, and at which path where its URL has none; asks nothing where the
 * target names them. Throws a Failure of one line where nothing is found, or another transport than the one that is named; and the reason of
 * `signal` where that ends the asking.
 */
export async function detectTarget(
  target: TargetPlan,
  limits: DetectionLimits,
  signal?: AbortSignal,
): Promise<Spoken> {
  const found = await detect(target, limits, signal);
  signal?.throwIfAborted();
  if ('reason' in found) throw new Failure(found.reason, ExitCode.runFailed);
  return found;
}

async function detect(
  target: TargetPlan,
  limits: DetectionLimits,
  signal: AbortSignal | undefined,
): Promise<Spoken | NotSpoken> {
  const named = namedBy(target);
  if (named !== null) return named;
  const { command } = target;
  if (target.transport === 'stdio' && command !== undefined)
    return detectCommand(command, limits.answersMs / 2, signal);
  return askTarget(target, limits, signal);
}

/** Asks a target what it speaks, whatever it names; what it does not speak as it is named is none. Throws a Failure where nobody listens. */
export async function askTarget(
  target: TargetPlan,
  { connectMs, answersMs }: DetectionLimits,
  signal?: AbortSignal,
): Promise<Spoken | NotSpoken> {
  const access = await accessTarget(target, connectMs);
  const found = await detectAt(access, target, { limitMs: answersMs, signal });
  const advice = 'reason' in found ? null : mismatchOf(target, found);
  return advice === null ? found : { reason: `${(found as Spoken).url}: ${advice}`, refused: true, advice };
}

/** What a target says itself of what it speaks; null where something is left to be found out. */
function namedBy({ url, transport, protocol }: TargetPlan): Spoken | null {
  if (transport === 'auto') return null;
  if (protocol === 'auto' && (transport === 'stdio' || transport === 'streamable' || hasNoPath(url)))
    return null;
  return { url, transport, era: eraOf(protocol), protocolVersion: protocol, dialect: null };
}

/**
 * What made the opening of a session fail; where that is a Failure, and the target names what it speaks and was not asked therefore, and
 * the server speaks something else: a Failure that says so.
 */
export async function orSpeaksOtherwise(
  failure: unknown,
  target: TargetPlan,
  limits: DetectionLimits,
): Promise<unknown> {
  if (!(failure instanceof Failure) || target.transport === 'stdio' || namedBy(target) === null)
    return failure;
  const advice = await adviseOtherwise(target, limits);
  return advice === null ? failure : new Failure(redact(`${target.url}: ${advice}`), failure.exitCode);
}

/** What a server speaks that a target takes for another, and how to say so; null where that is no other thing, or nothing at all. */
export async function adviseOtherwise(target: TargetPlan, limits: DetectionLimits): Promise<string | null> {
  try {
    const found = await askTarget(target, limits);
    return 'reason' in found ? found.advice : null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return null;
  }
}

/** Asks a target that connects, at each of the addresses that it may mean; what is not as it was named comes only where nothing else does. */
async function detectAt(
  access: TargetAccess,
  target: TargetPlan,
  { limitMs, signal }: Patience,
): Promise<Spoken | NotSpoken> {
  const { url, transport, protocol } = target;
  const wanted: Wanted = { transport, protocol };
  const endsAtMs = performance.now() + limitMs;
  const tried: Tried[] = [];
  let other: Spoken | null = null;
  const candidates = candidatesFor(url);
  for (const [at, candidate] of candidates.entries()) {
    const { path } = parseTarget(candidate.replaceAll('{session}', '0'), null);
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0 || signal?.aborted) break;
    const { spoken, attempts } = await examine(access, path, wanted, {
      limitMs: leftMs / (candidates.length - at),
      signal,
    });
    if (spoken !== null) {
      const found = { ...spoken, url: candidate };
      if (mismatchOf(target, found) === null) return found;
      other ??= found;
      continue;
    }
    tried.push({ url: candidate, attempts });
    // Who answers nothing at one path answers nothing at another.
    if (attempts.every(({ answer }) => answer.status === null)) break;
  }
  return other ?? describeFailure(url, tried, limitMs);
}

// With one of its own a URL is taken at its word.
function candidatesFor(url: string): string[] {
  if (!hasNoPath(url)) return [url];
  const base = url.replace(/\/$/, '');
  return [`${base}/mcp`, `${base}/sse`, `${base}/`];
}

function hasNoPath(url: string): boolean {
  return /^https?:\/\/[^/?#]+\/?$/i.test(url);
}

function mismatchOf({ transport, protocol }: TargetPlan, spoken: Spoken): string | null {
  const speaks = `this server speaks ${spokenText(spoken)}`;
  if (transport !== 'auto' && transport !== spoken.transport)
    return `${speaks}: use --transport ${spoken.transport}`;
  if (protocol !== 'auto' && spoken.transport === 'streamable' && eraOf(protocol) !== spoken.era)
    return `${speaks}: use --protocol ${spoken.protocolVersion}`;
  return null;
}
