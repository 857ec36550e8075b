import { detectTarget, type DetectionLimits, orSpeaksOtherwise } from '../detect/detect-target.js';
import type { Spoken } from '../detect/spoken.js';
import { accessTarget, type TargetAccess } from '../detect/target-access.js';
import { ExitCode, Failure } from '../failure.js';
import type { TargetPlan } from '../scenario/plan.js';
import { transportKinds } from '../transport/transport-kinds.js';
import { ChannelClient } from './channel-client.js';
import { ProbeSession } from './probe-session.js';

/** A target that answers, and a first session with it: over HTTP+SSE one that sees all there is on the wire. */
export interface OpenTarget {
  /** null of a command, which has no address. */
  readonly access: TargetAccess | null;
  readonly spoken: Spoken;
  readonly client: ProbeSession | ChannelClient;
}

/** Ids of sessions that are open together must not meet. */
export const idsApart = 1_000_000_000;

/** Finds out what a target speaks and opens a session with it; throws a Failure of one line where there is none to be had. */
export async function openTarget(target: TargetPlan, timeoutMs: number): Promise<OpenTarget> {
  const limits: DetectionLimits = { connectMs: timeoutMs, answersMs: timeoutMs };
  const spoken = await detectTarget(target, limits);
  const access =
    spoken.transport === 'stdio' ? null : await accessTarget({ ...target, url: spoken.url }, timeoutMs);
  try {
    if (access !== null) return { access, spoken, client: await openSession(access, spoken, timeoutMs, 0) };
    return { access, spoken, client: await ChannelClient.open(target, '', spoken, timeoutMs) };
  } catch (error) {
    throw await orSpeaksOtherwise(inFull(error, spoken), target, limits);
  }
}

/** Opens a session over what the target speaks; throws a Failure where that does not come off. `ordinal` is its place among those open together. */
export function openSession(
  access: TargetAccess,
  spoken: Spoken,
  timeoutMs: number,
  ordinal: number,
): Promise<ProbeSession | ChannelClient> {
  const firstId = 1 + ordinal * idsApart;
  return spoken.transport === 'sse'
    ? ProbeSession.open(access, timeoutMs, firstId)
    : ChannelClient.open(access.target, access.ip, spoken, timeoutMs, firstId);
}

/** The result of `initialize` or of `server/discover`; empty where that was refused. */
export function helloOf(client: ProbeSession | ChannelClient): Record<string, unknown> {
  const exchange = client instanceof ProbeSession ? client.initialize : client.hello;
  return (exchange?.response?.['result'] ?? {}) as Record<string, unknown>;
}

function inFull(error: unknown, { transport, url }: Spoken): unknown {
  if (!(error instanceof Failure)) return error;
  if (transport === 'stdio') {
    const kind = error.message.startsWith('its process ended') ? 'exited' : 'timeout';
    const advice = transportKinds.stdio.advise(kind, error.message);
    return new Failure(`no session: ${error.message}${advice}`, ExitCode.runFailed);
  }
  const status = /answered (\d{3})/.exec(error.message)?.[1];
  const kind = status === undefined ? 'tls' : `http ${status}`;
  const advice = transportKinds[transport].advise(kind, error.message);
  return new Failure(`no session with ${url}: ${error.message}${advice}`, ExitCode.runFailed);
}
