import { cut } from '../text/cut.js';
import type { Exchange } from './exchange.js';
import type { PostAnswer } from './observed-posts.js';
import type { KeepAlive, PostLooks, StreamLooks } from './probe-report.js';
import type { ProbeSession } from './probe-session.js';

const shownBytes = 400;

/** How the session's stream looks on the wire. */
export function streamLooks({ stream, endpointGiven }: ProbeSession): StreamLooks {
  const fields = stream.raw.match(/^(?:data|event|id):.?/gm) ?? [];
  const spaced = fields.filter((field) => field.endsWith(' ')).length;
  return {
    contentType: stream.headers?.get('content-type') ?? '',
    endpoint: endpointGiven,
    lineEndings: stream.lineEndings,
    spaceAfterColon: spaced === fields.length ? 'always' : spaced === 0 ? 'never' : 'sometimes',
    eventIds: stream.hasEventIds,
    retryMs: stream.retryMs,
    firstBytes: cut(stream.raw, shownBytes),
  };
}

/** How the POSTs of a session were accepted, and what became of their connections. */
export function postLooks(session: ProbeSession, exchanges: readonly Exchange[]): PostLooks {
  const answers = [
    session.initialize?.post,
    session.initialized,
    ...exchanges.map(({ post }) => post),
  ].filter((post): post is PostAnswer => post !== null && post !== undefined);
  const kinds = new Map<string, { status: number; body: string; framing: string; count: number }>();
  for (const { status, body, headers } of answers) {
    if (status === null || status > 299) continue;
    const framing = headers?.chunked
      ? 'chunked'
      : (headers?.contentLength ?? -1) >= 0
        ? 'Content-Length'
        : 'until close';
    const text = cut(body.trim(), 80);
    const kind = kinds.get(`${status} ${framing} ${text}`) ?? { status, body: text, framing, count: 0 };
    kind.count++;
    kinds.set(`${status} ${framing} ${text}`, kind);
  }
  return {
    accepted: [...kinds.values()].sort((a, b) => b.count - a.count),
    connections: session.posts.opened,
    reused: answers.filter(({ reusedConnection }) => reusedConnection).length,
    closedByServer: session.posts.closedByServer,
    keepAliveHeader: answers.map(({ headers }) => headers?.get('keep-alive')).find(Boolean) ?? null,
  };
}

/** What came on a stream without being asked for, to keep it alive. */
export function keepAliveOf({ stream, strays }: ProbeSession, listenedMs: number): KeepAlive {
  const at = (moments: readonly { atNs: number }[]): number[] => moments.map(({ atNs }) => atNs);
  const requests = strays.serverRequests.filter(({ method }) => method === 'ping');
  const notices = strays.notifications.filter(({ method }) => method === 'ping');
  const kinds: [KeepAlive['seen'][number]['kind'], number[], string][] = [
    ['comment', at(stream.comments), `:${stream.comments[0]?.data ?? ''}`],
    ['ping event', strays.pingEvents, 'event: ping'],
    ['ping request', at(requests), 'method ping'],
    ['ping notification', at(notices), 'method ping, no id'],
  ];
  return {
    listenedMs,
    seen: kinds
      .filter(([, moments]) => moments.length > 0)
      .map(([kind, moments, example]) => ({
        kind,
        count: moments.length,
        example,
        everyMs: spacingMs(moments),
      })),
  };
}

function spacingMs(moments: readonly number[]): number | null {
  if (moments.length < 2) return null;
  return (moments.at(-1)! - moments[0]!) / (moments.length - 1) / 1e6;
}
