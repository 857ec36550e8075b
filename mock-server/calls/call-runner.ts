import type { Answers } from '../http/answers.js';
import type { CallDelivery } from './call-delivery.js';
import type { CallLog } from './call-log.js';
import { planCall } from './call-plan.js';
import { httpReply } from '../http/http-reply.js';
import { RpcError } from '../protocol/json-rpc.js';
import type { Loop } from '../time/loop.js';
import { PlannedCall } from './planned-call.js';
import type { Call } from './planned-call.js';
import type { Session } from '../sessions/session.js';
import type { SessionDue } from '../sessions/session-due.js';
import type { Stats } from '../stats.js';
import type { Streams } from '../sessions/streams.js';
import { ToolFailed } from '../tools/tool.js';
import type { ToolOutcome } from '../tools/tool.js';

/** What the runner works with. */
export interface CallRunnerParts {
  readonly loop: Loop;
  readonly due: SessionDue;
  readonly stats: Stats;
  readonly streams: Streams;
  readonly delivery: CallDelivery;
  readonly answers: Answers;
  readonly log: CallLog | null;
}

/** Runs the calls to which something is to be done: delays, faults, other orders of 202 and event, a log. */
export class CallRunner {
  constructor(private readonly parts: CallRunnerParts) {}

  run(call: Call): void {
    const { session } = call;
    const { wire } = session.site;
    if (wire.queueFull === 'block' && wire.queueLimit > 0 && session.inFlight >= wire.queueLimit) {
      session.waiting ??= [];
      session.waiting.push(call);
      return;
    }
    const planned = this.plan(call);
    if (planned.plan.refused) return this.refuse(planned);
    this.startAck(planned);
    session.inFlight++;
    if (planned.dueNs > planned.receivedNs) this.later(planned);
    else this.finish(planned);
  }

  /** Ends what a session that has died was still to be answered. */
  abandon(session: Session): void {
    const waiting = session.waiting ?? [];
    session.waiting = null;
    this.parts.due.abandon(session);
    for (const call of waiting) this.turnAway(call);
  }

  private plan(call: Call): PlannedCall {
    const { session, served } = call;
    const plan = planCall(served.behaviour, session.site.wire, session.ordinal, call.ordinal);
    return new PlannedCall(call, plan, this.parts.loop.nowNs(), this.parts);
  }

  private refuse(planned: PlannedCall): void {
    planned.inject('httpError');
    const { post, served } = planned.call;
    const { status } = served.behaviour.faults.httpError;
    this.parts.answers.answer(post, httpReply(status, 'Injected by the mock'));
    planned.unsent();
  }

  private startAck(planned: PlannedCall): void {
    const { plan, session } = planned;
    if (plan.ack === 'at-once') this.accept(planned);
    if (plan.ack === 'never') planned.inject('unansweredPost');
    if (plan.ack !== 'held') return;
    planned.inject('heldPost');
    // A POST with the response in its body cannot be answered before there is one.
    if (!session.site.wire.jsonInPost) this.acceptAt(planned, this.heldUntilNs(planned));
  }

  private later(planned: PlannedCall): void {
    const { session, dueNs, call } = planned;
    const giveUp = (why: 'cancelled' | 'late'): void => {
      planned.unsent(why);
      if (planned.plan.ack.startsWith('after')) this.accept(planned);
      this.acceptHeld(planned);
      this.leave(session);
    };
    const ends = {
      run: () => this.finish(planned),
      cancelled: () => {
        this.parts.stats.cancelled++;
        giveUp('cancelled');
      },
      abandoned: () => {
        this.parts.stats.lateWrites++;
        giveUp('late');
      },
    };
    this.parts.due.add(session, dueNs, ends, call.idJson);
  }

  private finish(planned: PlannedCall): void {
    const { session, plan } = planned;
    const members = session.site.responseMembers(planned.call.idJson, outcomeOf(planned));
    const body = planned.inBody(members);
    if (plan.ack === 'after-work') {
      if (plan.ackFault) planned.inject(plan.ackFault);
      this.accept(planned, body);
    }
    const sent = this.parts.delivery.deliver(planned, members);
    if (plan.ack === 'after-event') this.acceptAfterEvent(planned, sent, body);
    this.acceptHeld(planned, body);
    this.leave(session);
  }

  private acceptAfterEvent(planned: PlannedCall, sent: boolean, body: string | undefined): void {
    const { session, plan } = planned;
    if (!sent) return this.accept(planned, body);
    for (const stream of session.streams) this.parts.streams.flush(stream);
    const { eventBefore202 } = planned.call.served.behaviour.faults;
    const gapNs = plan.ackFault ? eventBefore202.gap : session.site.wire.ackGap;
    this.acceptAt(planned, this.parts.loop.nowNs() + gapNs, body);
  }

  private acceptHeld(planned: PlannedCall, body?: string): void {
    if (planned.plan.ack !== 'held' || !planned.session.site.wire.jsonInPost) return;
    this.acceptAt(planned, this.heldUntilNs(planned), body);
  }

  private heldUntilNs({ receivedNs, call }: PlannedCall): number {
    return receivedNs + call.served.behaviour.faults.heldPost.for;
  }

  /** Accepts a POST then, or at once where its session dies before. */
  private acceptAt(planned: PlannedCall, dueNs: number, body?: string): void {
    const accept = (): void => this.accept(planned, body);
    if (dueNs <= this.parts.loop.nowNs()) return accept();
    this.parts.due.add(planned.session, dueNs, { run: accept, cancelled: accept, abandoned: accept });
  }

  private accept({ call, session }: PlannedCall, body?: string): void {
    this.parts.answers.accept(call.post, session.site, body);
  }

  private leave(session: Session): void {
    session.inFlight--;
    const next = session.waiting?.shift();
    // Not at once: what waits would end within this call, and a long line would overflow the stack.
    if (next !== undefined) this.parts.loop.soon(() => this.resume(next));
  }

  private resume(call: Call): void {
    // Its session may have died since there was room for it.
    if (call.session.streams.length > 0) this.run(call);
    else this.turnAway(call);
  }

  /** Refuses a POST that waited for room, as one that comes now would be. */
  private turnAway(call: Call): void {
    this.parts.answers.answer(call.post, call.session.site.refuse('streamGone', call.idJson));
    this.plan(call).unsent('refused');
  }
}

function outcomeOf({ plan, call }: PlannedCall): ToolOutcome {
  const { rpcError, toolError } = call.served.behaviour.faults;
  if (plan.result === 'own') return call.outcome;
  return plan.result === 'rpcError'
    ? new RpcError(rpcError.code, rpcError.message)
    : new ToolFailed(toolError.message);
}
