import { chance, Choice } from './chance.js';
import type { Answers } from './answers.js';
import type { CallLog, CallRecord } from './call-log.js';
import { planCall } from './call-plan.js';
import type { CallPlan } from './call-plan.js';
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

interface PlannedCall extends Call {
  readonly plan: CallPlan;
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
  readonly answers: Answers;
  readonly log: CallLog | null;
  cutStream(stream: Stream): void;
}

/** Runs the calls to which something is to be done: delays, faults, other orders of 202 and event, a log. */
export class CallRunner {
  constructor(private readonly parts: CallRunnerParts) {}

  run(call: Call): void {
    const { session, served } = call;
    const { wire } = session.site;
    if (wire.queueFull === 'block' && wire.queueLimit > 0 && session.inFlight >= wire.queueLimit) {
      session.waiting ??= [];
      session.waiting.push(() => this.run(call));
      return;
    }
    const plan = planCall(served.behaviour, wire, session.ordinal, call.ordinal);
    const receivedNs = this.parts.loop.nowNs();
    const dueNs = receivedNs + plan.latencyNs + (plan.refused ? 0 : call.workNs);
    const planned = { ...call, plan, record: this.recordOf(call, receivedNs, dueNs) };
    if (plan.refused) return this.refuse(planned);
    this.startAck(planned, receivedNs);
    session.inFlight++;
    if (dueNs > receivedNs) this.later(planned, dueNs);
    else this.finish(planned);
  }

  private refuse(call: PlannedCall): void {
    this.inject(call, 'httpError');
    const { status } = call.served.behaviour.faults.httpError;
    this.parts.answers.answer(call.post, httpReply(status, 'Injected by the mock'));
    this.logUnsent(call);
  }

  private startAck(call: PlannedCall, receivedNs: number): void {
    const { answers, due } = this.parts;
    const { plan, post, session } = call;
    if (plan.ack === 'at-once') answers.accept(post, session.site);
    if (plan.ack === 'never') this.inject(call, 'unansweredPost');
    if (plan.ack !== 'held') return;
    this.inject(call, 'heldPost');
    due.add(receivedNs + call.served.behaviour.faults.heldPost.for, () => answers.accept(post, session.site));
  }

  private later(call: PlannedCall, dueNs: number): void {
    const { session, idJson } = call;
    let cancelled = false;
    const cancel = (): void => {
      cancelled = true;
      session.pending!.delete(idJson);
      this.parts.stats.cancelled++;
      call.record?.injected.push('cancelled');
      this.logUnsent(call);
      if (call.plan.ack.startsWith('after')) this.parts.answers.accept(call.post, session.site);
      this.leave(session);
    };
    session.pending ??= new Map();
    session.pending.set(idJson, { cancel });
    this.parts.due.add(dueNs, () => {
      if (cancelled) return;
      session.pending!.delete(idJson);
      this.finish(call);
    });
  }

  private finish(call: PlannedCall): void {
    const { session, plan, post } = call;
    const { answers } = this.parts;
    const members = session.site.responseMembers(call.idJson, this.outcomeOf(call));
    if (plan.ack === 'after-work') {
      if (plan.ackFault) this.inject(call, plan.ackFault);
      answers.accept(post, session.site, session.site.wire.jsonInPost ? members : undefined);
    }
    const sent = this.deliver(call, members);
    if (plan.ack === 'after-event') this.ackAfterEvent(call, sent);
    this.leave(session);
  }

  private ackAfterEvent(call: PlannedCall, sent: boolean): void {
    const { answers, due, loop, streams } = this.parts;
    const { session, plan, post } = call;
    if (!sent) return answers.accept(post, session.site);
    for (const stream of session.streams) streams.flush(stream);
    if (plan.ackFault) this.inject(call, plan.ackFault);
    const gapNs = plan.ackFault ? call.served.behaviour.faults.eventBefore202.gap : session.site.wire.ackGap;
    due.add(loop.nowNs() + gapNs, () => answers.accept(post, session.site));
  }

  /** Puts the response where it shall go; true if that is its own session's stream. */
  private deliver(call: PlannedCall, members: string): boolean {
    const { session, plan, record } = call;
    const { sender, stats } = this.parts;
    if (session.streams.length === 0) {
      stats.lateWrites++;
      record?.injected.push('late');
      this.logUnsent(call);
      return false;
    }
    this.extras(call);
    if (plan.delivery === 'lost' || plan.delivery === 'cut') {
      this.inject(call, plan.delivery);
      this.logUnsent(call);
      if (plan.delivery === 'cut') for (const stream of session.streams.slice()) this.parts.cutStream(stream);
      return false;
    }
    // Without another session there is nobody to misroute to: then the response goes where it belongs.
    const stranger = plan.delivery === 'misrouted' ? this.strangerTo(call) : undefined;
    if (stranger) {
      this.inject(call, 'misrouted');
      if (sender.responseTo(stranger, members)) this.logOn(stranger, call);
      else this.logUnsent(call);
      return false;
    }
    if (plan.result !== 'own') this.inject(call, plan.result);
    if (plan.split) this.inject(call, 'splitEvent');
    if (plan.delivery === 'duplicate') this.inject(call, 'duplicate');
    const sent = sender.response(session, members, plan.split ? this.draw(call, Choice.splitAt) : -1);
    if (sent) this.logOn(session.streams[0]!, call);
    else this.logUnsent(call);
    if (plan.delivery === 'duplicate') sender.response(session, members);
    return sent;
  }

  private extras(call: PlannedCall): void {
    const { session, plan } = call;
    if (plan.serverRequest) this.inject(call, 'serverRequest');
    if (plan.push) this.inject(call, 'push');
    for (const stream of session.streams) {
      if (plan.serverRequest) this.parts.sender.serverRequest(stream);
      if (plan.push) this.parts.sender.push(stream);
    }
  }

  private outcomeOf({ plan, served, outcome }: PlannedCall): ToolOutcome {
    const { rpcError, toolError } = served.behaviour.faults;
    if (plan.result === 'own') return outcome;
    return plan.result === 'rpcError'
      ? new RpcError(rpcError.code, rpcError.message)
      : new ToolFailed(toolError.message);
  }

  /** Another session's stream on the same site; undefined where there is none. */
  private strangerTo(call: Call): Stream | undefined {
    const { open } = this.parts.streams;
    const { session } = call;
    const start = Math.floor(this.draw(call, Choice.misroutedTo) * open.length);
    for (let step = 0; step < open.length; step++) {
      const stream = open[(start + step) % open.length]!;
      if (stream.session !== session && stream.session.site === session.site) return stream;
    }
    return undefined;
  }

  private draw({ session, ordinal }: Call, choice: Choice): number {
    return chance(this.parts.seed, session.ordinal, ordinal, choice);
  }

  private inject(call: PlannedCall, fault: FaultName): void {
    this.parts.stats.injected[fault]++;
    call.record?.injected.push(fault);
  }

  private recordOf({ idJson, session, served }: Call, receivedNs: number, dueNs: number): CallRecord | null {
    if (this.parts.log === null) return null;
    return { idJson, session: session.id, tool: served.tool.name, receivedNs, dueNs, injected: [] };
  }

  // Its line is written when the stream's outbox is.
  private logOn(stream: Stream, { record }: PlannedCall): void {
    if (record === null) return;
    stream.records ??= [];
    stream.records.push(record);
  }

  private logUnsent({ record }: PlannedCall): void {
    if (record !== null) this.parts.log!.write(record, null);
  }

  private leave(session: Session): void {
    session.inFlight--;
    const next = session.waiting?.shift();
    // Not at once: what waits would end within this call, and a long line would overflow the stack.
    if (next !== undefined) this.parts.loop.soon(next);
  }
}
