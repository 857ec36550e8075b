import type { CallLog } from '../calls/call-log.js';
import { chance, Choice } from '../calls/chance.js';
import { mergeFaults } from '../config/faults.js';
import type { FaultConfig } from '../config/faults.js';
import type { MockConfig } from '../config/config.js';
import {
  cacheable,
  declaredIn,
  EraMethods,
  initializeProblem,
  objectOf,
  unknownTool,
} from '../peers/era-methods.js';
import { DueQueue } from '../time/due-queue.js';
import { EraText } from '../peers/era-text.js';
import { Freezer } from '../calls/freezer.js';
import { InputRounds } from '../offers/input-rounds.js';
import { isId, kindOf, MessageKind, RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { RpcMessage } from '../protocol/json-rpc.js';
import { isStateless, unsupportedVersion, wrongWith } from '../streamable/stateless-checks.js';
import { Listens } from '../peers/listens.js';
import type { Loop } from '../time/loop.js';
import { McpHeaders } from '../http/mcp-headers.js';
import { newestWithSessions, sessionVersions } from '../peers/eras.js';
import { newStdioCounts } from './stdio-stats.js';
import { offersOf } from '../offers/offers.js';
import type { Offers } from '../offers/offers.js';
import { Peer } from '../peers/peer.js';
import type { PeerCall } from '../peers/peer-call.js';
import { PeerCalls } from '../peers/peer-calls.js';
import { plainStdio } from './plain-stdio.js';
import { Pulse } from '../sessions/pulse.js';
import { Stats } from '../stats.js';
import type { StatsSnapshot } from '../stats.js';
import { StdioAnswer } from './stdio-answer.js';
import type { StdioCalls } from './stdio-answer.js';
import { StdioOutput } from './stdio-output.js';
import type { StdioOptions } from './stdio-options.js';
import type { StreamSink } from '../sessions/stream.js';
import { textOfBytes } from '../tools/built-in-tools.js';
import { ToolBox } from '../tools/tool-box.js';
import type { Announced } from '../tools/tool-script.js';

type Params = Record<string, unknown>;
const noParams: Params = {};
/** Over pipes there are none: what they would say stands in the message. */
const noHeaders = new McpHeaders();
const versions: readonly string[] = ['2024-11-05', ...sessionVersions];

/** What a server on pipes needs from outside. */
export interface StdioServerParts {
  readonly loop: Loop;
  readonly log: CallLog | null;
  readonly version: string;
  /** What its session is called in the log. */
  readonly id: string;
  readonly stdout: StreamSink;
  stderr(text: string): void;
  /** stdin has ended and all is answered, yet it goes on. */
  idle(): void;
  /** There is nothing more to do: all calls have come to their end after stdin did, or the process is to die with what has been written. */
  over(exitCode: number): void;
}

/** The mock on stdin and stdout, without any I/O: one process, one client, both eras at once. */
export class StdioServer {
  readonly stats = new Stats();
  private readonly counts = newStdioCounts();
  private readonly options: StdioOptions;
  private readonly due: DueQueue;
  private readonly output: StdioOutput;
  private readonly sessions: Peer;
  private readonly stateless: Peer;
  private readonly offers: Offers;
  private readonly methods: EraMethods;
  private readonly calls: PeerCalls;
  private readonly listens: Listens;
  private readonly callsHere: StdioCalls;
  private readonly withSessions = new EraText('', '');
  private readonly withoutSessions = new EraText(
    ',"resultType":"complete"',
    ',"ttlMs":0,"cacheScope":"private"',
  );
  private readonly freezer: Freezer | null;
  private readonly slowRead: FaultConfig['slowRead'];
  private readonly pulse: Pulse<Peer> | null;
  /** Calls take the long way, whatever their tool. */
  private readonly eventful: boolean;
  private changeTimer: unknown;
  private initialized = false;
  /** It has answered the first request of either era. */
  private greeted = false;
  private inputEnded = false;
  /** Calls that have not come to their end. */
  private readonly live = new Set<PeerCall>();
  /** It takes nothing more, and writes nothing more. */
  private over = false;

  constructor(
    private readonly config: MockConfig,
    private readonly using: StdioServerParts,
  ) {
    const { loop, log, version, id } = using;
    const { stats } = this;
    const options = (this.options = { ...plainStdio, ...config.stdio });
    const due = (this.due = new DueQueue(loop));
    this.sessions = new Peer(id, options.session, [], null, 'sessions');
    this.stateless = new Peer(id, options.session, [], null, 'stateless');
    const lineEnd = options.lineEnding === 'crlf' ? '\r\n' : '\n';
    const { counts, sessions: owner } = this;
    const output = (this.output = new StdioOutput({ ...using, due, stats, counts, owner, lineEnd }));
    stats.sessionsOpened = 1;
    stats.sessionsOpen = 1;
    this.callsHere = {
      output,
      callBegan: (call) => this.live.add(call),
      callEnded: (call) => this.callEnded(call),
      cut: (idJson) => this.die(`{"jsonrpc":"2.0","id":${idJson},"result":{"content":[{"type":"te`),
    };
    this.offers = offersOf(config, new ToolBox(config, stats));
    const rounds = new InputRounds(config.seed);
    this.methods = new EraMethods({ offers: this.offers, stats, rounds, version });
    this.listens = new Listens(stats, this.methods.serverInfoJson);
    this.calls = new PeerCalls({
      seed: config.seed,
      options: { inputRequired: options.inputRequired, disconnect: 0, errorStatus: 200 },
      loop,
      due,
      stats,
      log,
      streams: output.streams,
      rounds,
      textOf: (peer) => (peer === this.stateless ? this.withoutSessions : this.withSessions),
      eventText: (data) => data + lineEnd,
      announce: (what) => this.announce(what),
      update: (uri) => this.update(uri),
    });
    this.freezer = config.freeze
      ? new Freezer(config.freeze, loop, due, stats, (fromNs, toNs) => log?.freeze(fromNs, toNs))
      : null;
    this.slowRead = mergeFaults(config.faults).slowRead;
    this.eventful = log !== null || options.inputRequired > 0;
    const { every, bytes } = config.pushes;
    this.pulse = every > 0 ? new Pulse<Peer>(loop, every, output.streams.open, () => this.push(bytes)) : null;
    this.announceInTurn();
  }

  /** Says what it says before anybody asks; it may die of it. */
  start(): void {
    const { noiseAtStart, stderrAtStart, die } = this.options;
    this.output.stderr(stderrAtStart);
    for (let n = 0; n < noiseAtStart; n++) this.output.noise();
    this.output.flush();
    if (die === 'start') this.die();
  }

  /** For how long the next line shall wait before it is taken: by chance, once the handshake is done. */
  readDelayMs(): number {
    if (this.slowRead.rate === 0 || !this.greeted) return 0;
    const peer = this.sessions;
    if (chance(this.config.seed, peer.ordinal, peer.posts++, Choice.slowRead) >= this.slowRead.rate) return 0;
    this.stats.injected.slowRead++;
    return this.slowRead.for / 1e6;
  }

  /** Its client is further behind with reading than it may be: no more is to be read from it. */
  get behind(): boolean {
    return this.output.waitingCharacters > this.config.limits.unreadBytes;
  }

  /** Takes one line. */
  receive(text: string, bytes: number): void {
    if (this.over) return;
    this.stats.bytesIn += bytes;
    this.counts.lines++;
    let message: RpcMessage;
    try {
      message = JSON.parse(text) as RpcMessage;
    } catch {
      return this.malformed(new RpcError(RpcCode.parse, 'Parse error: Invalid JSON'));
    }
    const kind = kindOf(message);
    if (kind === MessageKind.invalid) {
      const id = (message as RpcMessage | null)?.id;
      const problem = Array.isArray(message)
        ? 'Invalid Request: no batches over stdio'
        : 'Invalid Request: not a JSON-RPC message';
      return this.malformed(new RpcError(RpcCode.invalidRequest, problem), id);
    }
    if (kind === MessageKind.response) return this.answered(message);
    this.stats.method(message.method!);
    if (kind === MessageKind.notification) return this.notified(message);
    const { eras } = this.options;
    if (eras !== 'sessions' && (eras === 'stateless' || isStateless(message, noHeaders)))
      this.statelessRequest(message);
    else this.request(message);
  }

  /** A line was longer than it may be. */
  tooLong(): void {
    this.counts.lines++;
    this.counts.tooLong++;
    this.respond(
      this.withSessions.error('null', new RpcError(RpcCode.invalidRequest, 'Invalid Request: line too long')),
    );
  }

  /** stdin has ended: what is due is still answered, unless the mock has been told otherwise. */
  end(): void {
    if (this.over) return;
    this.stats.closedByClient = 1;
    this.stats.sessionsOpen = 0;
    this.inputEnded = true;
    // Nobody can answer them any more.
    for (const call of this.live) if (call.asking !== 0 || this.options.dropAtEof) call.leave();
    if (this.live.size === 0) this.finishSoon();
  }

  /** It is told to stop: calls that wait are late. */
  close(): void {
    if (this.over) return;
    if (!this.inputEnded) this.closedByServer();
    this.leaveAll();
    this.finish(0);
  }

  /** Its client no longer reads: what was still to be written is late. */
  lost(): void {
    if (this.over) return;
    if (!this.inputEnded) this.stats.closedByClient = 1;
    this.stats.sessionsOpen = 0;
    this.leaveAll();
    this.stop(0, () => this.output.lose());
  }

  drained(): void {
    this.output.drained();
  }

  snapshot(): StatsSnapshot & { stdio: ReturnType<typeof newStdioCounts> } {
    const about = { engine: 'stdio', dialect: 'stdio', threads: 1, seed: this.config.seed };
    return { ...this.stats.snapshot(about), stdio: { ...this.counts } };
  }

  // Messages

  private malformed(error: RpcError, id?: unknown): void {
    this.counts.malformed++;
    this.respond(this.withSessions.error(isId(id) ? JSON.stringify(id) : 'null', error));
  }

  private answered(message: RpcMessage): void {
    this.stats.responsesReceived++;
    if (typeof message.id === 'number') this.sessions.asked.get(message.id)?.(message);
  }

  private notified(message: RpcMessage): void {
    if (message.method === 'notifications/initialized' && this.options.die === 'initialized') this.die();
    if (message.method !== 'notifications/cancelled') return;
    const id = (message.params as Params | undefined)?.['requestId'];
    if (!isId(id)) return;
    const idJson = JSON.stringify(id);
    (this.sessions.waiting.get(idJson) ?? this.stateless.waiting.get(idJson))?.cancel();
    this.listens.cancel(idJson);
  }

  private request(message: RpcMessage): void {
    const params = (message.params ?? noParams) as Params;
    const idJson = JSON.stringify(message.id);
    if (message.method === 'tools/call') return this.call(this.sessions, params, idJson);
    const outcome =
      message.method === 'initialize'
        ? this.initialize(params)
        : this.methods.ofSession(this.sessions, message.method!, params);
    if (!this.over) this.respond(this.withSessions.ofMethod(idJson, outcome, false));
  }

  private initialize(params: Params): string | RpcError {
    if (this.options.die === 'initialize') this.die();
    const problem = initializeProblem(params);
    if (problem !== undefined) return problem;
    if (this.initialized)
      return new RpcError(RpcCode.invalidRequest, 'Invalid Request: Server already initialized');
    this.initialized = true;
    this.greeted = true;
    const asked = params['protocolVersion'] as string;
    this.sessions.version = versions.includes(asked) ? asked : newestWithSessions;
    this.sessions.capabilities = objectOf(params['capabilities']);
    return this.methods.initialized(this.sessions.version);
  }

  private statelessRequest(message: RpcMessage): void {
    const params = (message.params ?? noParams) as Params;
    const idJson = JSON.stringify(message.id);
    const method = message.method!;
    const problem = isStateless(message, noHeaders)
      ? wrongWith(message, noHeaders, false)
      : unsupportedVersion(undefined);
    if (problem !== undefined) return this.respond(this.withoutSessions.error(idJson, problem));
    this.greeted = true;
    if (method === 'tools/call') return this.call(this.stateless, params, idJson);
    if (method === 'subscriptions/listen') {
      const wrong = this.listens.listen(idJson, params, () => ({
        send: (data, responses) => this.output.message(data, responses),
        finish: () => undefined,
      }));
      if (wrong !== undefined) this.respond(this.withoutSessions.error(idJson, wrong));
      return;
    }
    const outcome = this.methods.stateless(method, params);
    this.respond(this.withoutSessions.ofMethod(idJson, outcome, cacheable.has(method)));
  }

  private call(peer: Peer, params: Params, idJson: string): void {
    const { stats, options } = this;
    const text = peer === this.stateless ? this.withoutSessions : this.withSessions;
    stats.callsReceived++;
    if (options.dieAfterCalls > 0 && stats.callsReceived > options.dieAfterCalls) {
      stats.lateWrites++;
      return this.die();
    }
    const served = this.offers.tools.byName.get(params['name'] as string);
    if (served === undefined) return this.respond(text.error(idJson, unknownTool(params['name'])));
    this.freezer?.callReceived();
    served.counter.count++;
    const ordinal = peer.calls++;
    this.output.stderr(options.stderrPerCall);
    if (options.noise > 0 && chance(this.config.seed, peer.ordinal, ordinal, Choice.noise) < options.noise)
      this.output.noise();
    const args = objectOf(params['arguments']);
    const outcome = served.tool.run(args, peer, ordinal);
    if (served.plain && !this.eventful) return this.respond(text.ofCall(idJson, outcome));
    const workNs = Math.round(served.tool.workNs?.(args) ?? 0);
    const capabilities = peer === this.sessions ? peer.capabilities : declaredIn(params);
    const answer = new StdioAnswer(this.callsHere, idJson);
    this.calls.run({ answer, peer, served, idJson, ordinal, params, args, capabilities, outcome, workNs });
  }

  // What goes out

  private respond(data: string): void {
    this.output.message(data, 1);
  }

  private push(bytes: number): void {
    const data = `A push of the mock${bytes > 0 ? ` ${textOfBytes(bytes)}` : ''}`;
    this.output.notify('notifications/message', JSON.stringify({ level: 'info', logger: 'mock', data }));
  }

  /** Says that a list has changed: to who listens, and to a client that has initialized. */
  private announce(what: Announced): void {
    this.listens.announce(what);
    if (this.initialized) this.output.notify(`notifications/${what}/list_changed`, '{}');
  }

  private update(uri: string): void {
    this.listens.update(uri);
    if (this.sessions.subscriptions.has(uri))
      this.output.notify('notifications/resources/updated', JSON.stringify({ uri }));
  }

  private announceInTurn(): void {
    const { listChanges } = this.options;
    if (listChanges === 0) return;
    this.changeTimer = this.using.loop.after(Math.max(1, listChanges / 1e6), () => {
      this.announce('tools');
      this.announceInTurn();
    });
  }

  // The end

  private callEnded(call: PeerCall): void {
    this.live.delete(call);
    if (this.inputEnded && this.live.size === 0) this.finishSoon();
  }

  /** The response of the last call is still to be written. */
  private finishSoon(): void {
    this.using.loop.soon(() => {
      if (this.over || this.live.size > 0) return;
      if (this.options.stayAfterEof === 0) return this.finish(0);
      this.output.flush();
      this.using.idle();
    });
  }

  private finish(exitCode: number): void {
    this.listens.close();
    this.stop(exitCode, () => this.output.finish());
  }

  /** The process ends at once, with what has been written so far and the beginning of a line. */
  private die(beginning = ''): void {
    if (this.over) return;
    this.closedByServer();
    this.leaveAll();
    this.stop(1, () => this.output.breakOff(beginning));
  }

  private stop(exitCode: number, endOutput: () => void): void {
    this.over = true;
    this.using.loop.clear(this.changeTimer);
    this.pulse?.stop();
    endOutput();
    this.due.clear();
    this.using.over(exitCode);
  }

  private leaveAll(): void {
    for (const call of this.live) call.leave();
  }

  private closedByServer(): void {
    this.stats.closedByServer = 1;
    this.stats.sessionsOpen = 0;
  }
}
