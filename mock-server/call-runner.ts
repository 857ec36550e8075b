import { chance, Choice } from './chance.js';
import type { CallLog, CallRecord } from './call-log.js';
import type { DueQueue } from './due-queue.js';
import { httpReply } from './http-reply.js';
import { RpcError } from './json-rpc.js';
import type { Loop } from './loop.js';
import type { Post } from './post.js';
import type { Sender } from './sender.js';
import type { Session } from './session.js';
import type { FaultName, Stats } from './stats.js';
import type { Stream } from './stream.js';
import type { Streams } from './streams.js';
import { ToolFailed } from './tool.js';
import type { ToolOutcome } from './tool.js';
import type { ServedTool } from './tool-box.js';

type Ack = 'at-once' | 'after-work' | 'after-event' | 'held' | 'never';
type Delivery = 'normal' | 'cut' | 'lost' | 'misrouted' | 'duplicate';

interface Call {
  readonly session: Session;
  readonly idJson: string;
  readonly ordinal: number;
  readonly served: ServedTool;
  readonly members: string;
  readonly post: Post;
  readonly ack: Ack;
  readonly delivery: Delivery;
  readonly record: CallRecord | null;
}

/** What the runner works with. */
export interface CallRunnerParts {
  readonly seed: number;
  readonly loop: Loop;
  readonly due: DueQueue;
  readonly stats: Stats;
  readonly streams: Streams;
  readonly sender: Sender;
  readonly log: CallLog | null;
  accept(post: Post, session: Session, body?: string): void;
  endStream(stream: Stream, how: 'end' | 'cut'): void;
}

/** Runs the calls to which something is to be done: delays, faults, other orders of 202 and event, a log. */
export class CallRunner {
  constructor(private readonly parts: CallRunnerParts) {}

  run(
    session: Session,
    served: ServedTool,
    idJson: string,
    ordinal: number,
    args: Record<string, unknown>,
    outcome: ToolOutcome,
    post: Post,
  ): void {
    const { wire } = session.site;
    if (wire.queueLimit > 0 && wire.queueFull === 'block' && session.inFlight >= wire.queueLimit) {
      session.waiting ??= [];
      session.waiting.push(() => this.run(session, served, idJson, ordinal, args, outcome, post));
      return;
    }
    const receivedNs = this.parts.loop.nowNs();
    const injected: FaultName[] = [];
    const hit = (fault: FaultName): boolean => {
      if (!served.behaviour.hits(fault, session.ordinal, ordinal)) return false;
      this.parts.stats.injected[fault]++;
      injected.push(fault);
      return true;
    };
    const refused = hit('httpError');
    const dueNs = refused
      ? receivedNs
      : receivedNs +
        served.behaviour.latencyNs(session.ordinal, ordinal) +
        Math.round(served.tool.workNs?.(args) ?? 0);
    const record: CallRecord | null = this.parts.log && {
      idJson,
      session: session.id,
      tool: served.tool.name,
      receivedNs,
      dueNs,
      injected,
    };
    if (refused) {
      const { status } = served.behaviour.faults.httpError;
      this.answer(post, httpReply(status, 'Injected by the mock'));
      if (record) this.parts.log!.write(record, null);
      return;
    }
    const ack = this.ackOf(session, hit);
    const call: Call = {
      session,
      idJson,
      ordinal,
      served,
      members: session.site.responseMembers(idJson, this.outcomeOf(served, outcome, hit)),
      post,
      ack,
      delivery: this.deliveryOf(session, hit),
      record,
    };
    if (ack === 'at-once') this.parts.accept(post, session);
    if (ack === 'held') {
      const heldNs = served.behaviour.faults.heldPost.for;
      this.parts.due.add(receivedNs + heldNs, () => this.parts.accept(post, session));
    }
    session.inFlight++;
    if (dueNs > receivedNs) this.later(call, dueNs);
    else this.finish(call);
  }

  private ackOf(session: Session, hit: (fault: FaultName) => boolean): Ack {
    if (hit('unansweredPost')) return 'never';
    if (hit('heldPost')) return 'held';
    if (hit('eventBefore202')) return 'after-event';
    if (hit('ackAfterWork')) return 'after-work';
    const { ack, jsonInPost } = session.site.wire;
    return jsonInPost && ack === 'at-once' ? 'after-work' : ack;
  }

  private outcomeOf(
    served: ServedTool,
    outcome: ToolOutcome,
    hit: (fault: FaultName) => boolean,
  ): ToolOutcome {
    const { rpcError, toolError } = served.behaviour.faults;
    if (hit('rpcError')) return new RpcError(rpcError.code, rpcError.message);
    return hit('toolError') ? new ToolFailed(toolError.message) : outcome;
  }

  private deliveryOf(session: Session, hit: (fault: FaultName) => boolean): Delivery {
    if (hit('cut')) return 'cut';
    if (hit('lost')) return 'lost';
    // Without another session there is nobody to misroute to, and nothing is injected.
    if (this.parts.streams.open.length > session.streams.length && hit('misrouted')) return 'misrouted';
    return hit('duplicate') ? 'duplicate' : 'normal';
  }

  private later(call: Call, dueNs: number): void {
    const { session } = call;
    let cancelled = false;
    session.pending ??= new Map();
    session.pending.set(call.idJson, {
      cancel: () => {
        cancelled = true;
        session.pending?.delete(call.idJson);
        this.parts.stats.cancelled++;
        if (call.record) {
          call.record.injected.push('cancelled');
          this.parts.log!.write(call.record, null);
        }
        if (call.ack === 'after-work' || call.ack === 'after-event') this.parts.accept(call.post, session);
        this.leave(session);
      },
    });
    this.parts.due.add(dueNs, () => {
      if (cancelled) return;
      session.pending?.delete(call.idJson);
      this.finish(call);
    });
  }

  private finish(call: Call): void {
    const { session, ack, post } = call;
    const { accept, due, loop, streams } = this.parts;
    if (ack === 'after-work')
      accept(post, session, session.site.wire.jsonInPost ? `{"jsonrpc":"2.0",${call.members}}` : undefined);
    this.extras(call);
    this.deliver(call);
    if (ack === 'after-event') {
      for (const stream of session.streams) streams.flush(stream);
      const gapNs = Math.max(session.site.wire.ackGap, call.served.behaviour.faults.eventBefore202.gap);
      due.add(loop.nowNs() + gapNs, () => accept(post, session));
    }
    this.leave(session);
  }

  private extras({ session, served, ordinal, record }: Call): void {
    for (const fault of ['serverRequest', 'push'] as const) {
      if (!served.behaviour.hits(fault, session.ordinal, ordinal)) continue;
      for (const stream of session.streams) {
        this.parts.stats.injected[fault]++;
        record?.injected.push(fault);
        if (fault === 'push') this.parts.sender.push(stream);
        else this.parts.sender.serverRequest(stream);
      }
    }
  }

  private deliver(call: Call): void {
    const { session, delivery, members, record } = call;
    const { sender, stats, log } = this.parts;
    if (delivery === 'lost') {
      if (record) log!.write(record, null);
      return;
    }
    if (delivery === 'cut') {
      if (record) log!.write(record, null);
      for (const stream of session.streams.slice()) this.parts.endStream(stream, 'cut');
      return;
    }
    if (session.streams.length === 0) {
      stats.lateWrites++;
      if (record) {
        record.injected.push('late');
        log!.write(record, null);
      }
      return;
    }
    if (delivery === 'misrouted') {
      const stream = this.strangerTo(call);
      this.logOn(stream, record);
      sender.responseTo(stream, members);
      return;
    }
    const split = this.splitOf(call);
    this.logOn(session.streams[0]!, record);
    sender.response(session, members, split);
    if (delivery === 'duplicate') sender.response(session, members);
  }

  private splitOf({ session, served, ordinal, record }: Call): number {
    if (!served.behaviour.hits('splitEvent', session.ordinal, ordinal)) return -1;
    this.parts.stats.injected.splitEvent++;
    record?.injected.push('splitEvent');
    return chance(this.parts.seed, session.ordinal, ordinal, Choice.splitAt);
  }

  private strangerTo({ session, ordinal }: Call): Stream {
    const { open } = this.parts.streams;
    let at = Math.floor(chance(this.parts.seed, session.ordinal, ordinal, Choice.misroutedTo) * open.length);
    while (open[at]!.session === session) at = (at + 1) % open.length;
    return open[at]!;
  }

  private logOn(stream: Stream, record: CallRecord | null): void {
    if (record === null) return;
    stream.records ??= [];
    stream.records.push(record);
  }

  private leave(session: Session): void {
    session.inFlight--;
    const next = session.waiting?.shift();
    if (next) next();
  }

  private answer(post: Post, reply: ReturnType<typeof httpReply>): void {
    if (post.answer(reply)) this.parts.stats.answered(reply.status);
    else this.parts.stats.postsAborted++;
  }
}
