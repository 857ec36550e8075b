import { nowNs } from '../clock.js';
import type { Correlator } from '../mcp/correlator.js';
import { requestAgain } from '../mcp/input-required.js';
import type { OddityCounts } from '../mcp/oddities.js';
import type { PlainOutcome } from '../stats/outcomes.js';
import type { Recorder } from '../stats/recorder.js';
import type { SlotRecorder } from '../stats/slot-recorder.js';
import type { Refusal, ReplyKind, Transport } from '../transport/transport.js';
import type { Turn } from '../transport/turn.js';
import type { Envelope } from '../wire/json-rpc-scanner.js';
import { Call, type CallKeeper } from './call.js';
import { CallLimits, type LimitListener } from './call-limits.js';
import { CallsInFlight } from './calls-in-flight.js';
import { CoalescedReads } from './coalesced-reads.js';
import { judgeResponse } from './judge-response.js';
import { Round, type RoundKeeper } from './round.js';
import type { Session } from './session.js';
import { Draft, type Ticket } from './ticket.js';
import type { Workload } from './workload.js';

/** Told when a session could take another call. */
export interface SlotListener {
  /** Something is about to be written down as having happened at this moment. */
  onMoment(atNs: number): void;
  onSlotFree(session: Session, atNs: number, phase: number): void;
}

/** What a call book writes with and to. */
export interface CallBookParts {
  readonly workload: Workload;
  readonly recorder: Recorder;
  readonly slots: SlotRecorder;
  readonly correlator: Correlator;
  readonly oddities: OddityCounts;
  readonly turn: Turn;
  /** How long the making of a connection may take. */
  readonly connectLimitNs: number;
  readonly transport: Pick<Transport, 'replies'>;
}

// A server that asks more often asks for ever.
const mostRounds = 16;

/**
 * Owns every call of a worker from its start to its one outcome: registers the id before the bytes leave, takes the
 * response, watches the time limits, and writes the end down. Nothing else ends a call.
 */
export class CallBook implements CallKeeper, RoundKeeper, LimitListener {
  private readonly calls = new CallsInFlight();
  private readonly limits: CallLimits;
  private readonly reads = new CoalescedReads();
  /** Replies by their kind. */
  readonly bodies = { json: 0, events: 0 };
  /** How often calls went on with what the server had asked for. */
  inputRounds = 0;

  constructor(
    private readonly parts: CallBookParts,
    private readonly listener: SlotListener,
  ) {
    const operations = parts.workload.operations.map(({ plan }) => plan);
    this.limits = new CallLimits(operations, parts.connectLimitNs);
  }

  /** Calls that have been started and not ended. */
  get inFlight(): number {
    return this.calls.count;
  }

  /** Calls that have ended and whose acceptance, or the end of their reply, is still open. */
  get owed(): number {
    return this.limits.owed;
  }

  /** When the call was sent that has been waiting for its answer longest; Infinity where none is. */
  get oldestSentNs(): number {
    return this.limits.oldestSentNs;
  }

  /** Responses, and those of them that came together though their calls were sent apart. */
  get coalescing(): { readonly coalesced: number; readonly all: number } {
    return this.reads.counts;
  }

  /** Starts a due call on a session that has room for it: since `roomNs`, where the call had to wait for that. */
  start(ticket: Ticket, session: Session, roomNs = 0): void {
    const { correlator, workload } = this.parts;
    const { operation, seq } = ticket;
    const id = correlator.issue(session.serial);
    const text = workload.render(operation, seq, session.ordinal, id, session.client.dialect);
    const call = new Call(id, session, ticket, workload.lastEcho, this);
    call.roomNs = roomNs;
    this.send(call, text);
  }

  /** Renders a call of a session ahead of its time, all but its id. */
  draft(seq: number, operation: number, phase: number, session: Session): Draft {
    const { workload } = this.parts;
    const text = workload.renderAfterId(operation, seq, session.ordinal, session.client.dialect);
    return new Draft(seq, operation, phase, session, text, workload.lastEcho);
  }

  /** Starts a call that was rendered ahead and is due now, on the session that it was rendered for. */
  startDraft(draft: Draft): void {
    const { correlator, workload } = this.parts;
    const { session, operation, text, echo } = draft;
    const id = correlator.issue(session.serial);
    const whole = workload.textBeforeId(operation, session.client.dialect) + id + text;
    this.send(new Call(id, session, draft, echo, this), whole);
  }

  /** A call that still waited for a session when the run was cut short. */
  cutOff(ticket: Ticket): void {
    this.neverStarted(ticket, 'the run was cut short');
    this.parts.recorder.cutOff(ticket.phase, ticket.operation);
  }

  /** A call that was due but never given to a session, and why. */
  neverStarted({ phase, operation, foundNs }: Ticket, why: string): void {
    const { recorder, slots } = this.parts;
    recorder.started(phase, operation);
    recorder.failed(phase, operation, 'notSent', 0, 0);
    recorder.example('notSent', why);
    slots.noteCall('unanswered', foundNs, 0, nowNs());
  }

  /** A JSON-RPC response that came in a session, to whatever it may be. */
  onResponse(
    session: Session,
    envelope: Envelope,
    buffer: Buffer,
    start: number,
    end: number,
    atNs: number,
  ): void {
    const { correlator, oddities } = this.parts;
    const id = readId(envelope);
    const call = this.calls.find(id, session);
    if (call === undefined) {
      oddities[correlator.standingOf(id, session.serial)]++;
      return;
    }
    // It had not left when these bytes were read: whoever answers it has guessed the id.
    const { sentNs } = call.round ?? call;
    if (sentNs === 0 || atNs < sentNs) {
      oddities.foreign++;
      return;
    }
    if ((envelope.idType === 'string') !== session.client.dialect.stringIds) oddities.coercedId++;
    correlator.markAnswered(id);
    this.listener.onMoment(atNs);
    this.reads.note(call, atNs);
    if (envelope.inputRequired && session.client.dialect.meta !== null) {
      this.goOn(call, buffer.toString('utf8', start, end), atNs);
      return;
    }
    this.awaitReplyEnd(call, atNs);
    this.judge(call, envelope, buffer, start, end, atNs);
  }

  onCallSent(call: Call): void {
    this.limits.awaitResponse(call);
  }

  onCallAccepted(call: Call, note: string, reply: ReplyKind, atNs: number): void {
    call.reply = reply;
    call.replyOpen = reply !== 'none';
    if (!call.replyOpen) this.limits.settle(call);
    if (reply !== 'none') this.bodies[reply]++;
    call.ackNs = atNs;
    // Most acceptances that are odd are none the worse for it: it is said where no response comes.
    if (note !== '') call.note = note;
    call.ackUnreadNs = this.parts.turn.unreadNs(atNs);
    if (call.okNs > 0) this.acknowledge(call);
  }

  onCallFirstMessage(call: Call, atNs: number): void {
    call.firstNs = atNs;
    call.firstUnreadNs = this.parts.turn.unreadNs(atNs);
  }

  onCallReplyEnded(call: Call, atNs: number, cut: boolean): void {
    call.replyOpen = false;
    if (call.round !== null) return;
    this.limits.settle(call);
    if (call.okNs > 0 && !cut) this.noteRelease(call, atNs);
    if (call.ended) return;
    const note = call.note === '' ? '' : ` (${call.note})`;
    this.fail(call, 'acceptedNoResponse', atNs, `its reply ended without a response${note}`);
  }

  onRoundRefused({ call }: Round, refusal: Refusal, atNs: number): void {
    this.onCallRefused(call, refusal, atNs);
  }

  onRoundLost(round: Round, message: string, atNs: number): void {
    this.limits.settle(round.call);
    if (!round.answered) this.fail(round.call, 'disconnected', atNs, message);
  }

  onRoundReplyEnded(round: Round, atNs: number): void {
    if (round.call.round !== round) return;
    this.limits.settle(round.call);
    if (!round.call.ended)
      this.fail(round.call, 'acceptedNoResponse', atNs, 'its reply ended without a response');
  }

  onCallRefused(call: Call, { status, text, serverIsThere }: Refusal, atNs: number): void {
    this.limits.settle(call);
    if (call.ended) return;
    this.listener.onMoment(atNs);
    const example = `${this.nameOf(call)}: ${text}`;
    this.failWithCode(call, 'httpError', status, atNs, example, serverIsThere ? 'answered' : 'unanswered');
  }

  onCallFailed(call: Call, unsent: boolean, message: string, atNs: number): void {
    this.limits.settle(call);
    // Once it is accepted, what carried it has done its part, unless the response was to come in the reply.
    if (call.ended || call.round !== null || (call.ackNs > 0 && !call.replyOpen)) return;
    this.fail(call, unsent ? 'notSent' : 'disconnected', atNs, message);
  }

  /** Ends all calls of a session that is no more; those of which no byte has left were never sent. */
  endSession(session: Session, outcome: 'disconnected' | 'aborted', message: string, atNs: number): void {
    for (let call = session.oldestCall; call !== null; call = session.oldestCall)
      this.withdrawOrFail(call, outcome, message, atNs);
  }

  /** Ends what is still in flight, because the run was cut short. */
  abortAll(): void {
    const atNs = nowNs();
    for (const call of this.calls.all()) {
      if (call.ended || !this.withdrawOrFail(call, 'aborted', 'the run was cut short', atNs)) continue;
      this.parts.recorder.cutOff(call.ticket.phase, call.ticket.operation);
    }
  }

  /** Ends calls whose time is up; called every so often. */
  sweep(atNs: number): void {
    this.limits.sweep(atNs, this);
  }

  onUnsentTooLong(call: Call, limitNs: number, atNs: number): void {
    call.session.client.withdraw(call);
    this.fail(call, 'notSent', atNs, `no connection was free for it within ${limitNs / 1e9} s`);
  }

  onUnanswered(call: Call, atNs: number): void {
    const { plan } = this.parts.workload.operations[call.ticket.operation];
    const { client } = call.session;
    if (plan.cancelAfterNs !== null && plan.cancelAfterNs < plan.timeoutNs) {
      client.cancel(call.id);
      if (this.isOwed(call)) this.limits.awaitReplyEnd(call, atNs);
      this.fail(call, 'cancelled', atNs, 'cancelled by the scenario');
      if (client.cancelsByGivingUp) client.giveUp(call.round ?? call);
      return;
    }
    const note = call.note === '' ? '' : ` (${call.note})`;
    const outcome = (call.round ?? call).ackNs > 0 ? 'acceptedNoResponse' : 'timeout';
    this.fail(call, outcome, atNs, `no response within ${plan.timeoutNs / 1e9} s${note}`);
    if (this.isOwed(call)) client.giveUp(call.round ?? call);
  }

  onOwedTooLong(call: Call): void {
    call.session.client.giveUp(call.round ?? call);
  }

  // The server asks for input: the same call once more, under an id of its own, where the scenario gives what it asks for.
  private goOn(call: Call, response: string, atNs: number): void {
    const { workload, correlator } = this.parts;
    const { session, ticket } = call;
    const { operation, seq } = ticket;
    const id = correlator.issue(session.serial);
    const text = workload.render(operation, seq, session.ordinal, id, session.client.dialect);
    const answers = workload.operations[operation].plan.inputResponses ?? {};
    const again =
      call.rounds < mostRounds ? requestAgain(text, response, answers) : { why: 'it asks again and again' };
    if ('why' in again) {
      this.awaitReplyEnd(call, atNs);
      this.fail(call, 'inputRequired', atNs, `${this.nameOf(call)}: ${again.why}`);
      return;
    }
    this.inputRounds++;
    call.rounds++;
    this.calls.rename(call, id);
    call.round = new Round(call, call.round ?? call, this);
    session.client.send(again.text, false, call.round, workload.kindOf(operation, text));
  }

  // A response that is the whole reply ends it.
  private awaitReplyEnd(call: Call, atNs: number): void {
    if (!this.parts.transport.replies) return;
    const { ackNs, replyOpen, reply } = call.round ?? call;
    if (ackNs === 0 || (replyOpen && reply === 'events')) this.limits.awaitReplyEnd(call, atNs);
  }

  private send(call: Call, text: string): void {
    const { session, ticket } = call;
    const { recorder, workload } = this.parts;
    recorder.started(ticket.phase, ticket.operation);
    this.calls.add(call);
    const { operation } = ticket;
    session.client.send(text, workload.operations[operation].ascii, call, workload.kindOf(operation, text));
    if (call.sentNs === 0 && !call.ended) this.limits.awaitSending(call, nowNs());
  }

  private judge(
    call: Call,
    envelope: Envelope,
    buffer: Buffer,
    start: number,
    end: number,
    atNs: number,
  ): void {
    const { workload, recorder, turn } = this.parts;
    const { seq, phase, operation, intendedNs } = call.ticket;
    const kind = workload.operations[operation];
    const fault = judgeResponse(kind, seq, call.echo, envelope, buffer, start, end);
    if (fault !== null) {
      if (fault.outcome === 'rpcError')
        this.failWithCode(call, 'rpcError', fault.code, atNs, fault.example, 'answered');
      else this.fail(call, fault.outcome, atNs, fault.example);
      return;
    }
    call.okNs = atNs;
    call.okUnreadNs = turn.unreadNs(atNs);
    const { lagNs, connectNs, sentNs, okUnreadNs } = call;
    recorder.ok(phase, operation, intendedNs, lagNs, connectNs, sentNs, atNs, okUnreadNs);
    if (call.ackNs > 0) this.acknowledge(call);
    this.finish(call, atNs, 'answered');
  }

  private acknowledge(call: Call): void {
    const { recorder } = this.parts;
    const { phase, operation } = call.ticket;
    const { sentNs, ackNs, okNs, ackUnreadNs, okUnreadNs, reply, firstNs, firstUnreadNs } = call;
    recorder.accepted(phase, operation, ackNs - sentNs, ackUnreadNs);
    // Of several rounds there are several of the rest.
    if (call.round !== null) return;
    // A response that is the whole reply comes with its acceptance: what is between the two says nothing.
    if (reply !== 'json') recorder.answered(phase, operation, ackNs, okNs, ackUnreadNs, okUnreadNs);
    if (firstNs > 0) recorder.begun(phase, operation, firstNs - sentNs, firstUnreadNs);
  }

  // One that is the whole reply is over with it.
  private noteRelease(call: Call, atNs: number): void {
    if (call.reply !== 'events') return;
    const { phase, operation } = call.ticket;
    const unreadNs = this.parts.turn.unreadNs(atNs);
    this.parts.recorder.released(phase, operation, atNs - call.okNs, call.okUnreadNs, unreadNs);
  }

  // True where no byte of it had left.
  private withdrawOrFail(
    call: Call,
    outcome: 'disconnected' | 'aborted',
    message: string,
    atNs: number,
  ): boolean {
    const unsent = call.sentNs === 0 && call.session.client.withdraw(call);
    this.fail(call, unsent ? 'notSent' : outcome, atNs, message);
    return unsent;
  }

  private failWithCode(
    call: Call,
    kind: 'rpcError' | 'httpError',
    code: number,
    atNs: number,
    example: string,
    sign: SignOfLife,
  ): void {
    const { recorder } = this.parts;
    const { phase, operation, intendedNs } = call.ticket;
    const ownNs = this.ownPart(call, atNs);
    const counted = recorder.failedWithCode(phase, operation, kind, code, atNs - intendedNs, ownNs);
    recorder.example(`${kind} ${counted}`, example);
    this.finish(call, atNs, sign);
  }

  private fail(call: Call, outcome: PlainOutcome, atNs: number, example: string): void {
    this.listener.onMoment(atNs);
    const { phase, operation, intendedNs } = call.ticket;
    this.parts.recorder.failed(phase, operation, outcome, atNs - intendedNs, this.ownPart(call, atNs));
    this.parts.recorder.example(outcome, example);
    this.finish(call, atNs, this.signOf(outcome, call));
  }

  // What of the time up to a call's failure the generator took: to find and send it, and to read what ended it.
  private ownPart({ sentNs, lagNs, ticket }: Call, atNs: number): number {
    const sendingNs = sentNs > 0 ? lagNs : ticket.foundNs - ticket.intendedNs;
    return sendingNs + this.parts.turn.unreadNs(atNs);
  }

  private finish(call: Call, atNs: number, sign: SignOfLife): void {
    const { session, ticket } = call;
    call.ended = true;
    for (let round = call.round; round !== null; round = round.before instanceof Round ? round.before : null)
      if (round.before.replyOpen) session.client.giveUp(round.before);
    this.parts.slots.noteCall(sign, ticket.foundNs, call.sentNs, atNs);
    this.limits.end(call);
    this.calls.remove(call);
    this.listener.onSlotFree(session, atNs, ticket.phase);
  }

  /** Whether its acceptance, or the end of its reply, is still to come. */
  private isOwed(call: Call): boolean {
    const { ackNs, replyOpen } = call.round ?? call;
    return this.parts.transport.replies && (ackNs === 0 || replyOpen);
  }

  private signOf(outcome: PlainOutcome, { ackNs }: Call): SignOfLife {
    switch (outcome) {
      case 'invalidResponse':
      case 'inputRequired':
      case 'toolError':
      case 'checkFailed':
        return 'answered';
      case 'aborted':
        return null;
      case 'cancelled':
        // Accepted, as far as servers say that, and not waited for.
        return ackNs > 0 || !this.parts.transport.replies ? null : 'unanswered';
      default:
        return 'unanswered';
    }
  }

  private nameOf(call: Call): string {
    return this.parts.workload.operations[call.ticket.operation].plan.name;
  }
}

/** What the end of a call says of the target's being there; null: nothing. */
type SignOfLife = 'answered' | 'unanswered' | null;

function readId(envelope: Envelope): number {
  if (envelope.idType === 'number') return envelope.idNumber;
  return envelope.idType === 'string' && /^[1-9]\d*$/.test(envelope.idString)
    ? Number(envelope.idString)
    : NaN;
}
