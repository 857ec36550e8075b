import { chance, Choice } from '../calls/chance.js';
import type { CallLog } from '../calls/call-log.js';
import { planCall } from '../calls/call-plan.js';
import { CallScripts } from './call-script.js';
import type { CallScriptParts } from './call-script.js';
import { InputRequired, messageJson } from './era-text.js';
import type { EraText, PeerOutcome } from './era-text.js';
import { PeerCall } from './peer-call.js';
import type { CallRequest, PeerCallBooks } from './peer-call.js';
import type { Peer } from './peer.js';
import type { InputRound, InputRounds } from '../offers/input-rounds.js';
import { plainWire } from '../protocol/plain-wire.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import { StatelessCode } from './eras.js';
import type { Stream } from '../sessions/stream.js';
import type { StreamableOptions } from '../streamable/streamable-options.js';
import type { Streams } from '../sessions/streams.js';
import { Template } from '../tools/template.js';
import { ToolFailed } from '../tools/tool.js';

/** What calls are run with. */
export interface PeerCallsParts extends CallScriptParts {
  readonly seed: number;
  readonly options: Pick<StreamableOptions, 'inputRequired' | 'disconnect' | 'errorStatus'>;
  readonly streams: Streams<Peer>;
  readonly log: CallLog | null;
  readonly rounds: InputRounds;
  textOf(peer: Peer): EraText;
  /** A message as an event that has no id. */
  eventText(data: string): string;
}

/** The round that calls are put through where a share of them is answered `input_required`. */
const anyRound: readonly InputRound[] = [
  {
    state: true,
    requests: {
      confirm: {
        method: 'elicitation/create',
        params: new Template({
          message: 'Shall the call go on?',
          requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
        }),
      },
      roots: { method: 'roots/list', params: new Template({}) },
    },
  },
];

/** Runs the calls to which something is to be done: delays, faults, scripts, a log. */
export class PeerCalls {
  private readonly scripts: CallScripts;
  private readonly books: PeerCallBooks;

  constructor(private readonly using: PeerCallsParts) {
    const { stats, log, due } = using;
    this.scripts = new CallScripts(using);
    this.books = { stats, log, forget: (one) => due.remove(one) };
  }

  run(request: CallRequest): void {
    const { peer, served, ordinal, answer } = request;
    const plan = planCall(served.behaviour, plainWire, peer.ordinal, ordinal);
    const call = new PeerCall(request, plan, this.using.loop.nowNs(), this.books);
    if (plan.refused) return this.refuse(call);
    answer.began(call);
    peer.waiting.set(request.idJson, call);
    // Before its stream begins: it has a status of its own.
    const problem = this.lackingFor(request);
    if (problem) return this.finish(call, problem);
    this.hold(call);
    if (call.dueNs <= call.receivedNs) return this.work(call);
    call.due = this.using.due.add(call.dueNs, () => this.work(call));
  }

  private refuse(call: PeerCall): void {
    const { answer, served } = call.request;
    call.ended = true;
    call.inject('httpError');
    answer.refuse(served.behaviour.faults.httpError.status);
    call.unsent();
  }

  /** Begins the answer of a call, or leaves it for later, as its plan has it. */
  private hold(call: PeerCall): void {
    const { plan, request } = call;
    if (plan.ack === 'held') call.inject('heldPost');
    else if (plan.ack === 'never') call.inject('unansweredPost');
    else if (plan.ack === 'after-work' && request.answer.wantsStream) call.inject('ackAfterWork');
    else if (call.dueNs > call.receivedNs || request.served.tool.script || silent(call))
      request.answer.startEarly();
  }

  private work(call: PeerCall): void {
    const { request } = call;
    const { script } = request.served.tool;
    call.due = null;
    if (request.peer.era === 'sessions') {
      if (this.disconnects(call)) request.answer.disconnect();
      return script
        ? this.scripts.run(call, script, {}, (outcome) => this.finish(call, outcome))
        : this.finish(call, request.outcome);
    }
    const rounds = script?.input.length ? script.input : this.anyRounds(call);
    if (rounds === null) {
      return script
        ? this.scripts.run(call, script, {}, (outcome) => this.finish(call, outcome))
        : this.finish(call, request.outcome);
    }
    this.inRounds(call, rounds);
  }

  /** What its client has not got for a call: what the tool requires, or, without sessions, any way to be asked. */
  private lackingFor({ served, peer, params, capabilities }: CallRequest): RpcError | undefined {
    const { script } = served.tool;
    if (script === undefined) return undefined;
    const [round] = script.input;
    const asked = peer.era === 'stateless' && params['requestState'] === undefined ? round : undefined;
    const lacking =
      missing(script.requires, capabilities) ?? (asked && this.using.rounds.missing(asked, capabilities));
    if (!lacking) return undefined;
    return new RpcError(StatelessCode.missingCapability, 'Missing required client capability', {
      requiredCapabilities: lacking,
    });
  }

  private inRounds(call: PeerCall, rounds: readonly InputRound[]): void {
    const { params, args, capabilities, served, outcome } = call.request;
    const { rounds: judge, stats } = this.using;
    if (params['inputResponses'] !== undefined) stats.streamable.inputResponses++;
    const verdict = judge.judge(rounds, params, { arguments: args }, capabilities);
    if (verdict.kind === 'tampered')
      return this.finish(
        call,
        new RpcError(RpcCode.invalidParams, 'Invalid params: requestState was changed'),
      );
    if (verdict.kind === 'required') {
      stats.streamable.inputRequired++;
      return this.finish(call, new InputRequired(verdict.resultJson));
    }
    const { script } = served.tool;
    if (script === undefined) return this.finish(call, outcome);
    this.scripts.run(call, script, verdict.input, (result) => this.finish(call, result));
  }

  /** The round that a call is put through by chance; null for none. */
  private anyRounds({ request }: PeerCall): readonly InputRound[] | null {
    const { inputRequired } = this.using.options;
    if (inputRequired === 0) return null;
    if (request.params['requestState'] !== undefined) return anyRound;
    const { peer, ordinal, capabilities } = request;
    if (chance(this.using.seed, peer.ordinal, ordinal, Choice.inputRequired) >= inputRequired) return null;
    return this.using.rounds.missing(anyRound[0]!, capabilities) === null ? anyRound : null;
  }

  private disconnects({ request }: PeerCall): boolean {
    const { disconnect } = this.using.options;
    if (disconnect === 0 || !request.answer.wantsStream) return false;
    return chance(this.using.seed, request.peer.ordinal, request.ordinal, Choice.disconnect) < disconnect;
  }

  private finish(call: PeerCall, own: PeerOutcome): void {
    if (!call.end()) return;
    const { plan, request } = call;
    const { answer, peer, idJson } = request;
    if (plan.ack === 'never') {
      const [other] = peer.streams;
      if (other !== undefined && plan.result !== 'own') call.inject(plan.result);
      return this.astray(call, other, own);
    }
    this.extras(call);
    if (plan.delivery === 'lost' || plan.delivery === 'cut') {
      call.inject(plan.delivery);
      call.unsent();
      if (plan.delivery === 'cut') answer.cut();
      return;
    }
    const stranger = plan.delivery === 'misrouted' ? this.strangerTo(call) : undefined;
    if (stranger !== undefined) {
      call.inject('misrouted');
      return this.astray(call, stranger, own);
    }
    this.home(call, this.using.textOf(peer).ofCall(idJson, this.outcomeOf(call, own)), own);
  }

  private home(call: PeerCall, data: string, own: PeerOutcome): void {
    const { plan, request, record } = call;
    const { answer, peer } = request;
    if (plan.result !== 'own') call.inject(plan.result);
    const inStream = answer.wantsStream || answer.stream !== null;
    // Beside a JSON body there is only the session's own stream for the second one.
    const [other] = peer.streams;
    const twice = plan.delivery === 'duplicate' && (inStream || other !== undefined);
    if (twice) call.inject('duplicate');
    if (plan.split) call.inject('splitEvent');
    const splitAt = plan.split ? this.draw(call, Choice.splitAt) : -1;
    const status = answer.stream !== null || answer.detached ? 200 : this.statusOf(peer, own);
    if (!answer.respond(data, status, { record, twice: twice && inStream, splitAt })) {
      this.using.stats.lateWrites++;
      call.unsent('late');
    }
    if (twice && !inStream) this.using.streams.send(other!, this.using.eventText(data), 1);
  }

  /** A response that does not go to its own POST. */
  private astray(call: PeerCall, stream: Stream<Peer> | undefined, own: PeerOutcome): void {
    if (stream === undefined) return call.unsent();
    const { peer, idJson } = call.request;
    const data = this.using.textOf(peer).ofCall(idJson, this.outcomeOf(call, own));
    this.using.streams.send(stream, this.using.eventText(data), 1, 1, call.record);
  }

  private extras(call: PeerCall): void {
    const { plan, request } = call;
    const { answer, peer } = request;
    const { stats } = this.using;
    if (plan.serverRequest && peer.era === 'sessions') {
      const id = peer.lastAskedId + 1;
      if (answer.emit(messageJson('ping', '{}', id))) {
        peer.lastAskedId = id;
        stats.serverRequestsSent++;
        call.inject('serverRequest');
      }
    }
    if (!plan.push) return;
    const params = JSON.stringify({ level: 'info', logger: 'mock', data: 'A push of the mock' });
    if (!answer.emit(messageJson('notifications/message', params))) return;
    stats.notificationsSent++;
    call.inject('push');
  }

  private outcomeOf({ plan, request }: PeerCall, own: PeerOutcome): PeerOutcome {
    const { rpcError, toolError } = request.served.behaviour.faults;
    if (plan.result === 'own') return own;
    return plan.result === 'rpcError'
      ? new RpcError(rpcError.code, rpcError.message)
      : new ToolFailed(toolError.message);
  }

  private statusOf(peer: Peer, outcome: PeerOutcome): number {
    if (!(outcome instanceof RpcError)) return 200;
    if (outcome.code === StatelessCode.missingCapability && peer.era === 'stateless') return 400;
    return outcome.code === RpcCode.invalidParams ? this.using.options.errorStatus : 200;
  }

  /** A stream of somebody else; undefined where there is none. */
  private strangerTo(call: PeerCall): Stream<Peer> | undefined {
    const { open } = this.using.streams;
    const { peer, answer } = call.request;
    const start = Math.floor(this.draw(call, Choice.misroutedTo) * open.length);
    for (let step = 0; step < open.length; step++) {
      const stream = open[(start + step) % open.length]!;
      if (!stream.takesEvents) continue;
      if (stream !== answer.stream && (stream.session !== peer || peer.era === 'stateless')) return stream;
    }
    return undefined;
  }

  private draw({ request }: PeerCall, choice: Choice): number {
    return chance(this.using.seed, request.peer.ordinal, request.ordinal, choice);
  }
}

/** Whether nothing will follow, so that a stream has to begin for its own sake. */
function silent({ plan }: PeerCall): boolean {
  return plan.delivery === 'lost';
}

function missing(
  requires: Readonly<Record<string, unknown>>,
  declared: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const lacking = Object.entries(requires).filter(([name]) => declared[name] === undefined);
  return lacking.length === 0 ? undefined : Object.fromEntries(lacking);
}
