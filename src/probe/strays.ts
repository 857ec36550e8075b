import { cut } from '../text/cut.js';

/** A request or notification that a server sent, and when. */
export interface StrayMessage {
  readonly method: string;
  readonly atNs: number;
}

// What comes beyond that is more than a server has to say, and changes no finding.
const mostKept = 10_000;

/** What came on a stream that no request of ours had asked for; a flood of it is kept in part. */
export class Strays {
  foreign = 0;
  duplicate = 0;
  readonly nullIdErrors: string[] = [];
  readonly malformed: string[] = [];
  withoutVersion = 0;
  readonly serverRequests: StrayMessage[] = [];
  readonly notifications: (StrayMessage & { beforeInitialize: boolean })[] = [];
  /** When they came. */
  readonly pingEvents: number[] = [];

  nullIdError(text: string): void {
    keep(this.nullIdErrors, cut(text, 200));
  }

  malformedEvent(text: string): void {
    keep(this.malformed, cut(text, 200));
  }

  serverRequest(method: string, atNs: number): void {
    keep(this.serverRequests, { method: cut(method, 200), atNs });
  }

  notification(method: string, beforeInitialize: boolean, atNs: number): void {
    keep(this.notifications, { method: cut(method, 200), beforeInitialize, atNs });
  }

  pingEvent(atNs: number): void {
    keep(this.pingEvents, atNs);
  }
}

function keep<T>(list: T[], item: T): void {
  if (list.length < mostKept) list.push(item);
}
