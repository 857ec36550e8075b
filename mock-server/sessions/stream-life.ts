import type { MockConfig } from '../config/config.js';
import type { HttpReply } from '../http/http-reply.js';
import type { Loop } from '../time/loop.js';
import type { Route } from '../http/router.js';
import type { Sender } from './sender.js';
import { Session } from './session.js';
import type { SessionBook } from './session-book.js';
import type { Site } from '../protocol/site.js';
import type { Stats } from '../stats.js';
import { Stream } from './stream.js';
import type { StreamSink } from './stream.js';
import type { Streams } from './streams.js';
import type { Usage } from '../threads/usage.js';

/** What the life of a stream needs. */
export interface StreamLifeParts {
  readonly config: MockConfig;
  readonly loop: Loop;
  readonly usage: Usage;
  readonly stats: Stats;
  readonly streams: Streams;
  readonly sessions: SessionBook;
  readonly sender: Sender;
  /** Told of every session whose last stream has gone. */
  readonly sessionGone: (session: Session) => void;
  /** 32 hexadecimal digits, new for every session. */
  readonly newSessionHex: () => string;
  /** Where this server is, for clients that send no Host. */
  readonly baseUrl: () => string;
}

/** Opens and closes streams, and with them the sessions they belong to. */
export class StreamLife {
  constructor(private readonly parts: StreamLifeParts) {}

  /** Opens a stream and sends its first event, or says why not. */
  open(route: Route, host: string, sink: StreamSink): Stream | HttpReply {
    const { config, stats, streams, usage } = this.parts;
    const site = route.site!;
    if (!usage.takeStream(config.limits.sessions)) {
      stats.sessionsRefused++;
      return site.refuse('tooManySessions');
    }
    const session = this.sessionFor(site, route.workspace);
    const stream = new Stream(sink, session);
    session.streams.push(stream);
    streams.add(stream);
    stats.sessionsOpened++;
    stats.sessionsOpen++;
    this.greet(stream, host);
    return stream;
  }

  /** The stream is gone already: its client went away, or did not read and the engine gave up on it. */
  lost(stream: Stream, why: 'client' | 'unread'): void {
    const { stats } = this.parts;
    if (!stream.open) return;
    if (why === 'client') stats.closedByClient++;
    else {
      stats.closedByServer++;
      stats.unreadCuts++;
    }
    this.forget(stream);
  }

  /** Ends a stream in good order, or breaks it off. */
  end(stream: Stream, how: 'end' | 'cut'): void {
    if (!stream.open) return;
    if (how === 'end') this.parts.streams.flushBacklog(stream);
    else this.parts.streams.flush(stream);
    this.parts.stats.closedByServer++;
    this.forget(stream);
    if (how === 'end') stream.sink.end();
    else stream.sink.destroy();
  }

  /** Ends all streams, each with its dialect's last event. */
  endAll(reason: string): void {
    for (const stream of this.parts.streams.open.slice()) {
      const last = stream.session.site.dialect.lastEvent(reason);
      if (last) this.parts.sender.event(stream, last);
      this.end(stream, 'end');
    }
  }

  private sessionFor(site: Site, workspace: string): Session {
    const { sessions } = this.parts;
    if (site.dialect.sessionParam === '') {
      const known = sessions.find(site, workspace);
      return known ?? sessions.add(new Session(workspace, site, sessions.nextOrdinal()));
    }
    const hex = this.parts.newSessionHex();
    const id = site.dialect.sessionIdForm === 'hex' ? hex : uuidOf(hex);
    return sessions.add(new Session(id, site, sessions.nextOrdinal()));
  }

  private greet(stream: Stream, host: string): void {
    const { loop, sender, streams } = this.parts;
    const { session } = stream;
    const { dialect, wire, messagesPath } = session.site;
    const path = `${messagesPath}?${dialect.sessionParam}=${session.id}`;
    const base = host === '' ? this.parts.baseUrl() : `http://${host}`;
    const first = dialect.firstEvent({
      endpoint: wire.endpoint === 'absolute' ? base + path : path,
      sessionId: session.id,
      timestamp: loop.wallClock().toISOString(),
    });
    const event = wire.endpointEvent === 'unnamed' ? { event: '', data: first.data } : first;
    const text = session.site.event(event, wire.eventIds ? ++stream.lastEventId : 0, 'first');
    streams.send(stream, (wire.byteOrderMark ? '\uFEFF' : '') + text, 0);
    if (wire.earlyNotification) sender.push(stream);
    streams.flush(stream);
  }

  private forget(stream: Stream): void {
    const { session } = stream;
    this.parts.stats.sessionsOpen--;
    this.parts.usage.giveStream();
    this.parts.streams.remove(stream);
    session.streams.splice(session.streams.indexOf(stream), 1);
    if (session.streams.length > 0) return;
    this.parts.sessions.remove(session);
    this.parts.sessionGone(session);
  }
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
