import type { CallLog, CallRecord } from './call-log.js';
import type { CallPlan } from './call-plan.js';
import type { Post } from '../http/post.js';
import type { Session } from '../sessions/session.js';
import type { FaultName, Stats } from '../stats.js';
import type { ToolOutcome } from '../tools/tool.js';
import type { ServedTool } from '../tools/tool-box.js';

/** A call as it came: who called what, with what result, and the POST that waits for its answer. */
export interface Call {
  readonly session: Session;
  readonly served: ServedTool;
  readonly idJson: string;
  /** Which call of its session it is, from 0. */
  readonly ordinal: number;
  readonly outcome: ToolOutcome;
  readonly workNs: number;
  readonly post: Post;
}

/** A call with what will be done to it, and what has been done so far. */
export class PlannedCall {
  readonly session: Session;
  readonly record: CallRecord | null;
  readonly dueNs: number;

  constructor(
    readonly call: Call,
    readonly plan: CallPlan,
    readonly receivedNs: number,
    private readonly books: { readonly stats: Stats; readonly log: CallLog | null },
  ) {
    const { session, served, idJson } = call;
    this.session = session;
    this.dueNs = receivedNs + plan.latencyNs + (plan.refused ? 0 : call.workNs);
    const { dueNs } = this;
    const { name } = served.tool;
    this.record = books.log && { idJson, session: session.id, tool: name, receivedNs, dueNs, injected: [] };
  }

  /** Counts a fault that is done to it: before its response is written, and with it the line of the log. */
  inject(fault: FaultName): void {
    this.books.stats.injected[fault]++;
    this.record?.injected.push(fault);
  }

  /** Notes that its response will not be written, and why, where it was not a fault. */
  unsent(why?: 'late' | 'cancelled' | 'refused'): void {
    if (this.record === null) return;
    if (why) this.record.injected.push(why);
    this.books.log!.write(this.record, null);
  }

  /** The response as it stands in the body of the POST, where the site puts it there. */
  inBody(members: string): string | undefined {
    const { delivery } = this.plan;
    return this.session.site.wire.jsonInPost && delivery !== 'lost' && delivery !== 'cut'
      ? members
      : undefined;
  }
}
