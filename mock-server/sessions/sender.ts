import type { CallRecord } from '../calls/call-log.js';
import type { EventText } from '../protocol/dialects/dialect.js';
import type { Loop } from '../time/loop.js';
import type { Session } from './session.js';
import type { EventKind, Site } from '../protocol/site.js';
import type { Stats } from '../stats.js';
import type { Stream } from './stream.js';
import type { Streams } from './streams.js';
import { textOfBytes } from '../tools/built-in-tools.js';

const pymcpPushTypes = ['info', 'warning', 'error', 'data'] as const;

/** Puts responses, notifications and requests of the server on streams, as their site writes them. */
export class Sender {
  constructor(
    private readonly streams: Streams,
    private readonly stats: Stats,
    private readonly loop: Loop,
  ) {}

  /** A response to every stream of its session, or of all sessions where the site broadcasts; logged with the first it reaches. */
  response(session: Session, members: string, split = -1, record: CallRecord | null = null): void {
    let unlogged = record;
    for (const stream of this.targetsOf(session))
      if (this.responseTo(stream, members, split, unlogged)) unlogged = null;
  }

  /** How many responses of a session would reach at least one stream before they are dropped. */
  room(session: Session): number {
    let most = 0;
    for (const stream of this.targetsOf(session)) most = Math.max(most, roomOn(stream));
    return most;
  }

  /** A response to one stream; false if its queue was full and the response dropped. */
  responseTo(stream: Stream, members: string, split = -1, record: CallRecord | null = null): boolean {
    const { site } = stream.session;
    const { wire } = site;
    if (roomOn(stream) < 1) {
      this.stats.queueDropped++;
      return false;
    }
    const text = wire.eventIds
      ? this.named(stream, { event: site.dialect.responseEvent, data: `{"jsonrpc":"2.0",${members}}` })
      : site.responseEvent(members);
    this.put(stream, text, 1, split, record);
    return true;
  }

  notification(stream: Stream, method: string, paramsJson: string): void {
    const { site } = stream.session;
    this.stats.notificationsSent++;
    const data = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${paramsJson}}`;
    this.put(stream, this.named(stream, { event: site.dialect.notificationEvent, data }), 0);
  }

  /** A log message or whatever else the site pushes; `bytes` of it are padding. */
  push(stream: Stream, bytes = 0): void {
    const { wire } = stream.session.site;
    const text = `A push of the mock${bytes > 0 ? ` ${textOfBytes(bytes)}` : ''}`;
    this.notification(stream, wire.pushMethod, this.pushParams(stream, text));
  }

  /** A `ping` request of the server, which the client has to answer. */
  serverRequest(stream: Stream): void {
    const { session } = stream;
    const { wire } = session.site;
    if (wire.serverPingWaits && session.serverRequestOpen) return;
    session.serverRequestOpen = true;
    session.serverRequests++;
    this.stats.serverRequestsSent++;
    const id = wire.serverPingIds === 'zero' ? 0 : session.serverRequests;
    const data = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const event = { event: session.site.dialect.notificationEvent, data };
    this.put(stream, this.named(stream, event, 'request'), 0);
  }

  /** Any event that is no response. */
  event(stream: Stream, event: EventText): void {
    this.put(stream, this.named(stream, event), 0);
  }

  keepAlive(stream: Stream): void {
    const { site } = stream.session;
    for (const form of site.wire.keepAliveAs) {
      this.stats.keepAlivesSent++;
      this.streams.send(stream, this.keepAliveText(stream, form), 0, form.endsWith('comment') ? 0 : 1);
    }
  }

  private keepAliveText(stream: Stream, form: Site['wire']['keepAliveAs'][number]): string {
    const { site } = stream.session;
    const timestamp = this.loop.wallClock().toISOString();
    if (form === 'comment') return site.comment('');
    if (form === 'ping-comment') return site.comment(` ping - ${pythonDate(timestamp)}`);
    if (form === 'ping-event') {
      stream.pings++;
      return this.named(stream, { event: 'ping', data: String(stream.pings) });
    }
    const data = `{"jsonrpc":"2.0","method":"ping","params":{"timestamp":"${timestamp}"}}`;
    return this.named(stream, { event: 'lifecycle', data });
  }

  private pushParams(stream: Stream, text: string): string {
    const { site } = stream.session;
    if (site.dialect.name === 'pymcp')
      return JSON.stringify({
        type: pymcpPushTypes[stream.pushes++ % pymcpPushTypes.length],
        message: text,
        timestamp: this.loop.wallClock().toISOString(),
        data: {},
      });
    if (site.wire.pushMethod === 'logging') return JSON.stringify({ level: 'info', data: text });
    return JSON.stringify({ level: 'info', logger: 'mock', data: text });
  }

  private named(stream: Stream, event: EventText, kind: EventKind = 'other'): string {
    const { site } = stream.session;
    return site.event(event, site.wire.eventIds ? ++stream.lastEventId : 0, kind);
  }

  private targetsOf(session: Session): readonly Stream[] {
    const { site } = session;
    if (!site.wire.broadcast) return session.streams;
    return this.streams.open.filter((stream) => stream.session.site === site);
  }

  private put(
    stream: Stream,
    text: string,
    responses: number,
    split = -1,
    record: CallRecord | null = null,
  ): void {
    if (split >= 0 || stream.session.site.wire.splitEvents)
      this.streams.sendSplit(stream, text, responses, split >= 0 ? split : 0.5, record);
    else this.streams.send(stream, text, responses, 1, record);
  }
}

function roomOn(stream: Stream): number {
  const { queueFull, queueLimit } = stream.session.site.wire;
  return queueLimit > 0 && queueFull === 'drop' ? queueLimit - stream.waitingEvents : Infinity;
}

// As Python prints a datetime: the comments of its SSE library carry one.
function pythonDate(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d{3})Z$/, '$1000+00:00');
}
