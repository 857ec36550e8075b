// Many servers drop an idle connection after 5 s. A message sent into a connection that is being closed is lost.
const usualNs = 4e9;
/** How long a connection may wait for its first message: of those, `Keep-Alive` says nothing. */
export const unusedLimitNs = usualNs;
// A close sooner than this says nothing about idling: it may have had any cause.
const shortestSeenNs = 1e9;
const marginOfSeen = 0.8;

/** How long connections to one target may idle before they must be taken for lost: from what the server says, and from what it does. */
export class IdleLimit {
  ns = usualNs;

  /** The server has said (`Keep-Alive: timeout=…`) how long it waits. A second's grace, as undici takes it. */
  onHint(seconds: number): void {
    this.ns = Math.min(this.ns, Math.max(0, seconds - 1) * 1e9);
  }

  /** The server has closed a connection that had idled for so long. */
  onClosedAfter(idleNs: number): void {
    if (idleNs >= shortestSeenNs) this.ns = Math.min(this.ns, idleNs * marginOfSeen);
  }
}
