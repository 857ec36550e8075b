import type { CallAnswer } from './call-answer.js';
import type { CallLog, CallRecord } from '../calls/call-log.js';
import type { CallPlan } from '../calls/call-plan.js';
import type { Due } from '../time/due-queue.js';
import type { Peer } from './peer.js';
import type { FaultName, Stats } from '../stats.js';
import type { ServedTool } from '../tools/tool-box.js';
import type { ToolOutcome } from '../tools/tool.js';

/** A call as it came. */
export interface CallRequest {
  readonly answer: CallAnswer;
  readonly peer: Peer;
  readonly served: ServedTool;
  readonly idJson: string;
  /** Which call of its peer it is, from 0. */
  readonly ordinal: number;
  readonly params: Record<string, unknown>;
  readonly args: Record<string, unknown>;
  /** The capabilities that its client has. */
  readonly capabilities: Record<string, unknown>;
  readonly outcome: ToolOutcome;
  readonly workNs: number;
}

/** What calls need to be counted and to be taken out of what waits. */
export interface PeerCallBooks {
  readonly stats: Stats;
  readonly log: CallLog | null;
  /** Takes something out of what is due. */
  forget(due: Due): void;
}

/** A call with what will be done to it, and what has been done so far. It comes to exactly one end. */
export class PeerCall {
  readonly record: CallRecord | null;
  readonly dueNs: number;
  /** What it waits for. */
  due: Due | null = null;
  /** The id of its request to the client that is open; 0 for none. */
  asking = 0;
  ended = false;

  constructor(
    readonly request: CallRequest,
    readonly plan: CallPlan,
    readonly receivedNs: number,
    private readonly books: PeerCallBooks,
  ) {
    const { peer, served, idJson, workNs } = request;
    const heldNs = plan.ack === 'held' ? served.behaviour.faults.heldPost.for : 0;
    this.dueNs = receivedNs + Math.max(heldNs, plan.refused ? 0 : plan.latencyNs + workNs);
    const { dueNs } = this;
    this.record = books.log && {
      idJson,
      session: peer.id,
      tool: served.tool.name,
      receivedNs,
      dueNs,
      injected: [],
    };
  }

  /** Counts a fault that is done to it: before its response is written, and with it the line of the log. */
  inject(fault: FaultName): void {
    this.books.stats.injected[fault]++;
    this.record?.injected.push(fault);
  }

  /** Notes that its response will not be written, and why, where it was not a fault. */
  unsent(why?: string): void {
    if (this.record === null) return;
    if (why !== undefined) this.record.injected.push(why);
    this.books.log!.write(this.record, null);
  }

  /** It is taken out of all that waits; false where it has ended already. */
  end(): boolean {
    if (this.ended) return false;
    this.ended = true;
    const { peer, idJson, answer } = this.request;
    if (this.due !== null) this.books.forget(this.due);
    if (this.asking !== 0) peer.asked.delete(this.asking);
    if (peer.waiting.get(idJson) === this) peer.waiting.delete(idJson);
    answer.ended(this);
    return true;
  }

  /** Its client has gone: without sessions that takes it back, with them its response is late. */
  leave(): void {
    if (!this.end()) return;
    if (this.request.peer.era === 'stateless') {
      this.books.stats.cancelled++;
      this.unsent('cancelled');
    } else {
      this.books.stats.lateWrites++;
      this.unsent('late');
    }
  }

  /** Its client takes it back. */
  cancel(): void {
    if (!this.end()) return;
    this.books.stats.cancelled++;
    this.unsent('cancelled');
    this.request.answer.drop();
  }
}
