import type { Call } from './call.js';
import { CallTable } from './call-table.js';
import type { Session } from './session.js';

/** The calls of a worker that have begun and not ended, by their ids, and session by session. */
export class CallsInFlight {
  private readonly byId = new CallTable<Call>();

  get count(): number {
    return this.byId.size;
  }

  add(call: Call): void {
    this.byId.add(call);
    const { session } = call;
    session.inFlight++;
    call.older = session.newestCall;
    if (session.newestCall === null) session.oldestCall = call;
    else session.newestCall.newer = call;
    session.newestCall = call;
  }

  /** The session's call with this id; undefined where no such call is in flight. */
  find(id: number, session: Session): Call | undefined {
    const call = this.byId.find(id);
    return call?.session === session ? call : undefined;
  }

  /** The call goes on under another id. */
  rename(call: Call, id: number): void {
    this.byId.remove(call.id);
    call.id = id;
    this.byId.add(call);
  }

  remove(call: Call): void {
    if (!this.byId.remove(call.id)) return;
    const { session, older, newer } = call;
    session.inFlight--;
    if (older === null) session.oldestCall = newer;
    else older.newer = newer;
    if (newer === null) session.newestCall = older;
    else newer.older = older;
    call.older = null;
    call.newer = null;
  }

  /** All of them as of now, in the order in which they began. */
  all(): Call[] {
    return this.byId.all();
  }
}
