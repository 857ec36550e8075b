import type { Session } from './session.js';
import type { Site } from '../protocol/site.js';

const closedKept = 20_000;

interface Shelf {
  readonly open: Map<string, Session>;
  readonly closed: Set<string>;
}

/** The open sessions of each site by id, and the ids of the last ones that closed: no site knows those of another. */
export class SessionBook {
  private readonly shelves = new Map<Site, Shelf>();
  private opened = 0;
  /** Told of every session that opens or closes. */
  watcher: ((session: Session, open: boolean) => void) | null = null;

  constructor(private readonly thread: { readonly index: number; readonly count: number }) {}

  /** Numbers that no other thread gives out. */
  nextOrdinal(): number {
    return this.opened++ * this.thread.count + this.thread.index;
  }

  add(session: Session): Session {
    this.shelfOf(session.site).open.set(session.id, session);
    this.watcher?.(session, true);
    return session;
  }

  find(site: Site, id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.shelves.get(site)?.open.get(id);
  }

  /** Whether a session of that id was open here a while ago: a stream that is gone is another mistake than one that never was. */
  wasOpen(site: Site, id: string): boolean {
    return this.shelves.get(site)?.closed.has(id) ?? false;
  }

  remove(session: Session): void {
    const { open, closed } = this.shelfOf(session.site);
    open.delete(session.id);
    this.watcher?.(session, false);
    closed.add(session.id);
    if (closed.size <= closedKept) return;
    for (const oldest of closed) {
      closed.delete(oldest);
      break;
    }
  }

  private shelfOf(site: Site): Shelf {
    let shelf = this.shelves.get(site);
    if (!shelf) this.shelves.set(site, (shelf = { open: new Map(), closed: new Set() }));
    return shelf;
  }
}
