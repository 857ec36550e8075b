import type { Session } from './session.js';
import type { Site } from './site.js';

const closedKept = 20_000;

/** The open sessions by id, and the ids of the last ones that closed. */
export class SessionBook {
  private readonly byId = new Map<string, Session>();
  private readonly closed = new Set<string>();
  private opened = 0;
  /** Told of every session that opens or closes. */
  watcher: ((session: Session, open: boolean) => void) | null = null;

  constructor(private readonly thread: { readonly index: number; readonly count: number }) {}

  /** Numbers that no other thread gives out. */
  nextOrdinal(): number {
    return this.opened++ * this.thread.count + this.thread.index;
  }

  add(session: Session): Session {
    this.byId.set(session.id, session);
    this.watcher?.(session, true);
    return session;
  }

  find(site: Site, id: string | undefined): Session | undefined {
    const session = id === undefined ? undefined : this.byId.get(id);
    return session?.site === site ? session : undefined;
  }

  /** Whether a session of that id was open a while ago: a stream that is gone is another mistake than one that never was. */
  wasOpen(id: string): boolean {
    return this.closed.has(id);
  }

  remove(session: Session): void {
    this.byId.delete(session.id);
    this.watcher?.(session, false);
    this.closed.add(session.id);
    if (this.closed.size <= closedKept) return;
    for (const oldest of this.closed) {
      this.closed.delete(oldest);
      break;
    }
  }
}
