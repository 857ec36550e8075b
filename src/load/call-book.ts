import { nowNs } from '../clock.js';
import type { Correlator } from '../mcp/correlator.js';
import { cancelledMessage } from '../mcp/messages.js';
import type { Expectation } from '../scenario/expectation.js';
import type { Recorder } from '../stats/recorder.js';
import type { SlotRecorder } from '../stats/slot-recorder.js';
import type { PlainOutcome } from '../stats/outcomes.js';
import type { Turn } from '../transport/turn.js';
import type { Envelope } from '../wire/json-rpc-scanner.js';
import { parseBounded } from '../wire/parse-bounded.js';
import { Call, type CallKeeper, Draft, type Ticket } from './call.js';
import type { Courtesies } from '../mcp/background-messages.js';
import { Deadlines } from '../deadlines.js';
import { isPlainEcho } from './plain-echo.js';
import type { OddityCounts } from '../mcp/oddities.js';
import type { Session } from './session.js';
import type { Workload } from './workload.js';
import { cut } from '../text/cut.js';

const clumpSize = 4;
const sentApartNs = 2e6;

/** Told when a session could take another call. */
export interface SlotListener {
  /** Something is about to be written down as having happened at this moment. */
  onMoment(atNs: number): void;
  onSlotFree(session: Session, atNs: number, phase: number): void;
}

/**
 * Keeps every call of a worker from its start to its one outcome: registers the id before the bytes leave, judges the
 * response, watches the time limits, and writes the end down. Nothing else ends a call.
 */
export class CallBook implements CallKeeper {
  listener: SlotListener = { onMoment: () => {}, onSlotFree: () => {} };
  /** Calls that have been started and not ended. */
  inFlight = 0;
  /** Calls that have ended and whose POST still owes its status. */
  owed = 0;
  readonly clumped = { clumped: 0, all: 0 };
  /** Calls that wait for a connection: a server that lets none become free must not hold up the end of the run. */
  private readonly unsent: Deadlines<Call>[];
  private readonly limits: Deadlines<Call>[];
  /** Calls that ended before any status: their POST has a time limit of its own. */
  private readonly owedAcks: Deadlines<Call>[];

  constructor(
    private readonly workload: Workload,
    private readonly recorder: Recorder,
    private readonly slots: SlotRecorder,
    private readonly correlator: Correlator,
    private readonly oddities: OddityCounts,
    private readonly courtesies: Courtesies,
    private readonly turn: Turn,
    connectLimitNs: number,
  ) {
    // Connections are given up after the time limit of a call; then a new one may take that of a connect.
    this.unsent = workload.operations.map(({ plan }) => new Deadlines(plan.timeoutNs + connectLimitNs));
    this.limits = workload.operations.map(
      ({ plan }) => new Deadlines(Math.min(plan.timeoutNs, plan.cancelAfterNs ?? Infinity)),
    );
    this.owedAcks = workload.operations.map(({ plan }) => new Deadlines(plan.timeoutNs));
  }

  /** Starts a due call on a session that has room for it: since `roomNs`, where the call had to wait for that. */
  start(ticket: Ticket, session: Session, roomNs = 0): void {
    const id = this.correlator.issue(session.serial);
    const body = this.workload.render(ticket.operation, ticket.seq, session.ordinal, id, session.dialect);
    const call = new Call(id, session, ticket, this.workload.lastEcho, this);
    call.roomNs = roomNs;
    this.send(call, body);
  }

  /** Renders a call of a session ahead of its time, all but its id. */
  draft(seq: number, operation: number, phase: number, session: Session): Draft {
    const text = this.workload.renderAfterId(operation, seq, session.ordinal, session.dialect);
    return new Draft(seq, operation, phase, session, text, this.workload.lastEcho);
  }

  /** Starts a call that was rendered ahead and is due now, on the session that it was rendered for. */
  startDraft(draft: Draft): void {
    const { session, operation, text, echo } = draft;
    const id = this.correlator.issue(session.serial);
    const body = this.workload.openingOf(operation, session.dialect) + id + text;
    this.send(new Call(id, session, draft, echo, this), body);
  }

  private send(call: Call, body: string): void {
    const { id, session, ticket } = call;
    this.recorder.started(ticket.phase, ticket.operation);
    this.inFlight++;
    session.calls.set(id, call);
    session.posts!.post(body, call, this.workload.operations[ticket.operation].ascii);
    if (call.sentNs === 0 && !call.ended) this.unsent[ticket.operation].add(call, nowNs());
  }

  /** A call that was due but never given to a session. */
  neverStarted(ticket: Ticket): void {
    this.recorder.started(ticket.phase, ticket.operation);
    this.recorder.failed(ticket.phase, ticket.operation, 'notSent', 0);
    this.slots.noteCall('unanswered', ticket.foundNs, 0, nowNs());
  }

  /** A JSON-RPC response on a session's stream or in the body of its POST. */
  onResponse(
    session: Session,
    envelope: Envelope,
    buffer: Buffer,
    start: number,
    end: number,
    atNs: number,
  ): void {
    const id = readId(envelope);
    const call = session.calls.get(id);
    if (call === undefined) {
      this.oddities[this.correlator.standingOf(id, session.serial)]++;
      return;
    }
    // It had not left when these bytes were read: whoever answers it has guessed the id.
    if (call.sentNs === 0 || atNs < call.sentNs) {
      this.oddities.foreign++;
      return;
    }
    if ((envelope.idType === 'string') !== session.dialect.stringIds) this.oddities.coercedId++;
    this.correlator.markAnswered(id);
    this.listener.onMoment(atNs);
    this.watchClumps(session, call, atNs);
    if (call.ackNs === 0) this.owe(call, atNs);
    this.judge(call, envelope, buffer, start, end, atNs);
  }

  onCallSent(call: Call): void {
    this.limits[call.ticket.operation].add(call, call.sentNs);
  }

  onCallStatus(call: Call, status: number, note: string, atNs: number): void {
    this.settle(call);
    if (status >= 200 && status < 300) {
      call.ackNs = atNs;
      // Most answers without a body that matters are none the worse for it: it is said where no response comes.
      if (note !== '') call.note = note;
      call.ackDeafNs = this.turn.deafNs(atNs);
      if (call.okNs > 0) this.acknowledge(call);
      return;
    }
    if (call.ended) return;
    this.listener.onMoment(atNs);
    const { phase, operation, intendedNs } = call.ticket;
    const sinceNs = atNs - intendedNs;
    const counted = this.recorder.failedWithCode(phase, operation, 'httpError', status, sinceNs);
    this.recorder.example(
      `httpError ${counted}`,
      `the POST of ${this.nameOf(call)} was answered ${status}${note}`,
    );
    // A proxy says 502 to 504 when the server behind it is gone.
    this.finish(call, atNs, status < 500 ? 'answered' : 'unanswered');
  }

  onCallBody(call: Call, body: Buffer, atNs: number): void {
    call.session.onPostBody(body, atNs);
  }

  onCallFailed(call: Call, unsent: boolean, message: string, atNs: number): void {
    this.settle(call);
    // After the 2xx the connection has done its part: the response comes on the stream.
    if (call.ended || call.ackNs > 0) return;
    this.fail(call, unsent ? 'notSent' : call.session.lossOutcome, atNs, message);
  }

  /** Ends all calls of a session that is no more. */
  endSession(session: Session, message: string, atNs: number): void {
    for (const call of session.calls.values()) {
      const unsent = call.sentNs === 0 && session.posts?.withdraw(call) === true;
      this.fail(call, unsent ? 'notSent' : session.lossOutcome, atNs, message);
    }
  }

  /** Ends calls whose time is up. Limits are in the order of seconds: some milliseconds' delay does no harm. */
  sweep(atNs: number): void {
    for (const list of this.unsent) {
      for (let call = list.takeExpired(atNs); call !== null; call = list.takeExpired(atNs))
        this.giveUpUnsent(call, atNs);
    }
    for (const list of this.limits) {
      for (let call = list.takeExpired(atNs); call !== null; call = list.takeExpired(atNs))
        this.expire(call, atNs);
    }
    for (const list of this.owedAcks) {
      for (let call = list.takeExpired(atNs); call !== null; call = list.takeExpired(atNs)) {
        this.settle(call);
        call.session.posts?.giveUp(call);
      }
    }
  }

  /** When the call was sent that has been waiting for its answer longest; Infinity where none is. */
  get oldestSentNs(): number {
    let oldestNs = Infinity;
    for (const list of this.limits) oldestNs = Math.min(oldestNs, list.oldestNs);
    return oldestNs;
  }

  private giveUpUnsent(call: Call, atNs: number): void {
    const { limitNs } = this.unsent[call.ticket.operation];
    call.session.posts?.withdraw(call);
    this.fail(call, 'notSent', atNs, `no connection was free for it within ${limitNs / 1e9} s`);
  }

  private expire(call: Call, atNs: number): void {
    const { plan } = this.workload.operations[call.ticket.operation];
    const { session } = call;
    if (plan.cancelAfterNs !== null && plan.cancelAfterNs < plan.timeoutNs) {
      if (session.posts) this.courtesies.send(session.posts, cancelledMessage(call.id, session.dialect));
      if (call.ackNs === 0) this.owe(call, atNs);
      this.fail(call, 'cancelled', atNs, 'cancelled by the scenario');
      return;
    }
    this.fail(
      call,
      call.ackNs > 0 ? 'acceptedNoResponse' : 'timeout',
      atNs,
      `no response within ${plan.timeoutNs / 1e9} s${call.note === '' ? '' : ` (the POST was answered 2xx${call.note})`}`,
    );
    if (call.ackNs === 0) session.posts?.giveUp(call);
  }

  // Four or more answers in one read to calls that were sent apart: something between us gathers events.
  private watchClumps(session: Session, call: Call, atNs: number): void {
    this.clumped.all++;
    const { clump } = session;
    if (clump.readNs !== atNs || call.sentNs - clump.sentNs < sentApartNs) clump.size = 1;
    else clump.size++;
    clump.readNs = atNs;
    clump.sentNs = call.sentNs;
    if (clump.size === clumpSize) this.clumped.clumped += clumpSize;
    else if (clump.size > clumpSize) this.clumped.clumped++;
  }

  private judge(
    call: Call,
    envelope: Envelope,
    buffer: Buffer,
    start: number,
    end: number,
    atNs: number,
  ): void {
    const { phase, operation, intendedNs } = call.ticket;
    if (envelope.kind !== 'response') {
      this.fail(call, 'invalidResponse', atNs, excerpt(buffer, start, end));
      return;
    }
    if (envelope.hasError) {
      const { errorCode } = envelope;
      const sinceNs = atNs - intendedNs;
      const counted = this.recorder.failedWithCode(phase, operation, 'rpcError', errorCode, sinceNs);
      this.recorder.example(`rpcError ${counted}`, excerpt(buffer, start, end));
      this.finish(call, atNs, 'answered');
      return;
    }
    const { expectation, onlyEcho, errorExpected } = this.workload.operations[operation];
    if (envelope.isError && !errorExpected) {
      this.fail(call, 'toolError', atNs, excerpt(buffer, start, end));
      return;
    }
    if (expectation !== null && !(onlyEcho && isPlainEcho(call.echo, buffer, start, end))) {
      const reason = check(expectation, call, buffer, start, end);
      if (reason !== null) {
        this.fail(call, 'checkFailed', atNs, `${this.nameOf(call)}: ${reason}`);
        return;
      }
    }
    call.okNs = atNs;
    call.okDeafNs = this.turn.deafNs(atNs);
    const { lagNs, connectNs, sentNs, okDeafNs } = call;
    this.recorder.ok(phase, operation, intendedNs, lagNs, connectNs, sentNs, atNs, okDeafNs);
    if (call.ackNs > 0) this.acknowledge(call);
    this.finish(call, atNs, 'answered');
  }

  // The call is over: its POST still owes the status, and has a time limit of its own for it.
  private owe(call: Call, atNs: number): void {
    call.owing = true;
    this.owed++;
    this.owedAcks[call.ticket.operation].add(call, atNs);
  }

  private settle(call: Call): void {
    if (!call.owing) return;
    call.owing = false;
    this.owed--;
    call.deadlines?.remove(call);
  }

  private acknowledge(call: Call): void {
    const { phase, operation } = call.ticket;
    const { sentNs, ackNs, okNs, ackDeafNs, okDeafNs } = call;
    this.recorder.acknowledged(phase, operation, sentNs, ackNs, okNs, ackDeafNs, okDeafNs);
  }

  private fail(call: Call, outcome: PlainOutcome, atNs: number, example: string): void {
    this.listener.onMoment(atNs);
    const { phase, operation, intendedNs } = call.ticket;
    this.recorder.failed(phase, operation, outcome, atNs - intendedNs);
    this.recorder.example(outcome, example);
    this.finish(call, atNs, signOf(outcome, call));
  }

  private finish(call: Call, atNs: number, sign: SignOfLife): void {
    call.ended = true;
    this.slots.noteCall(sign, call.ticket.foundNs, call.sentNs, atNs);
    if (!call.owing) call.deadlines?.remove(call);
    this.inFlight--;
    call.session.calls.delete(call.id);
    this.listener.onSlotFree(call.session, atNs, call.ticket.phase);
  }

  private nameOf(call: Call): string {
    return this.workload.operations[call.ticket.operation].plan.name;
  }

  /** Ends what is still in flight, because the run was cut short. */
  abortAll(sessions: Iterable<Session>): void {
    const atNs = nowNs();
    for (const session of sessions) {
      for (const call of session.calls.values()) {
        const unsent = call.sentNs === 0 && session.posts?.withdraw(call) === true;
        this.fail(call, unsent ? 'notSent' : 'aborted', atNs, 'the run was cut short');
      }
    }
  }
}

/** What the end of a call says of the target's being there; null: nothing. */
type SignOfLife = 'answered' | 'unanswered' | null;

function signOf(outcome: PlainOutcome, { ackNs }: Call): SignOfLife {
  switch (outcome) {
    case 'invalidResponse':
    case 'toolError':
    case 'checkFailed':
      return 'answered';
    case 'aborted':
      return null;
    case 'cancelled':
      // Accepted, and not waited for.
      return ackNs > 0 ? null : 'unanswered';
    default:
      return 'unanswered';
  }
}

// A result may be nested so deeply that the stack does not suffice to look at it, or hold so much that memory does not.
function check(
  expectation: Expectation,
  { echo, ticket }: Call,
  buffer: Buffer,
  start: number,
  end: number,
): string | null {
  try {
    const { result } = parseBounded(buffer.toString('utf8', start, end)) as { result: unknown };
    return expectation(result, echo, end - start, ticket.seq);
  } catch (error) {
    return `the result cannot be checked: ${(error as Error).message}`;
  }
}

function readId(envelope: Envelope): number {
  if (envelope.idType === 'number') return envelope.idNumber;
  return envelope.idType === 'string' && /^[1-9]\d*$/.test(envelope.idString)
    ? Number(envelope.idString)
    : NaN;
}

const longestExcerpt = 300;

// With a mark where it is cut: what is left of a secret is hidden before one.
function excerpt(buffer: Buffer, start: number, end: number): string {
  return cut(buffer.toString('utf8', start, Math.min(end, start + 3 * (longestExcerpt + 1))), longestExcerpt);
}
