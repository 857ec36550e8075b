import type { Spoken } from '../detect/spoken.js';
import { speaking } from '../detect/spoken.js';
import { ExitCode, Failure } from '../failure.js';
import { type Dialect, dialectFor } from '../mcp/dialect.js';
import {
  answerServerRequest,
  initializedMessage,
  initializeMessage,
  messageTemplate,
} from '../mcp/messages.js';
import { plainKind } from '../mcp/message-kind.js';
import { type ReadMessage, readMessages } from '../mcp/read-messages.js';
import { shortText } from '../mcp/server-info.js';
import { planScenario } from '../scenario/load-scenario.js';
import type { Plan, TargetPlan } from '../scenario/plan.js';
import { cut, longestName } from '../text/cut.js';
import { transportKinds } from '../transport/transport-kinds.js';
import type { Traffic } from '../transport/traffic.js';
import type { Channel, ChannelHandler, ChannelLoss, MessageKind, Transport } from '../transport/transport.js';
import { Turn } from '../transport/turn.js';
import { packageVersion } from '../version.js';
import { describeRefusal, type Exchange, type ProbeClient } from './exchange.js';
import { OutgoingMessage } from './outgoing-message.js';
import type { HandshakeTimes } from './probe-session.js';

// A server that asks without end is answered no faster than it takes the answers.
const mostAnswering = 16;

/** One session over a transport as runs use it: it sees messages and what becomes of them, and nothing of what carries them. */
export class ChannelClient implements ProbeClient, ChannelHandler {
  readonly dialect: Dialect;
  /** What the server said to `initialize` or `server/discover`. */
  hello: Exchange | null = null;
  handshake: HandshakeTimes | null = null;
  /** Methods of what the server sent that nobody had asked for. */
  readonly asked = new Set<string>();
  readonly told = new Set<string>();
  /** How many responses came as JSON, and how many in a stream of events. */
  readonly bodies = { json: 0, events: 0 };
  private readonly channel: Channel;
  private readonly waiting = new Map<number, OutgoingMessage>();
  private connected = { sinceNs: 0, atNs: 0 };
  /** Why it is over; null while it is not. */
  loss: string | null = null;
  private answering = 0;
  private opened: (failure: Failure | null) => void = () => {};
  private readonly open = new Promise<Failure | null>((resolve) => (this.opened = resolve));

  private constructor(
    private readonly transport: Transport,
    private readonly spoken: Spoken,
    dialect: Dialect,
    private readonly timeoutMs: number,
    private nextId: number,
  ) {
    this.dialect = dialect;
    this.channel = transport.open(0, this);
  }

  /** Opens a session with a target and makes its handshake; throws a Failure where that does not come off. */
  static async open(
    target: TargetPlan,
    ip: string,
    spoken: Spoken,
    timeoutMs: number,
    firstId = 1,
  ): Promise<ChannelClient> {
    const plan = planFor(target, spoken, timeoutMs);
    const { create } = await transportKinds[spoken.transport].load();
    const transport = create(plan, ip, new Turn());
    const dialect = dialectFor(plan.target, packageVersion())('classic');
    const client = new ChannelClient(transport, spoken, dialect, timeoutMs, firstId);
    try {
      await client.becomeReady();
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  get argumentsKey(): Dialect['argumentsKey'] {
    return this.dialect.argumentsKey;
  }

  get traffic(): Traffic {
    return this.transport.traffic;
  }

  request(method: string, params: object): Promise<Exchange> {
    const { beforeId, afterId, end } = messageTemplate(method, null, this.dialect);
    const { meta } = this.dialect;
    const all = meta === null ? params : { ...params, _meta: meta };
    return this.send(kindOf(method, params), (id) => beforeId + id + afterId + JSON.stringify(all) + end);
  }

  /** Ends the session, tells the server where there is a way to, and lets go of all connections. */
  async close(): Promise<void> {
    this.loss ??= 'the probe ended it';
    this.channel.end('close');
    await this.transport.settle();
    this.transport.close();
  }

  private async becomeReady(): Promise<void> {
    const failure = await Promise.race([this.open, this.timeLimit('no connection')]);
    if (failure !== null) throw failure;
    const readyNs = this.dialect.meta === null ? await this.initialize() : await this.discover();
    const { sinceNs, atNs } = this.connected;
    const helloNs = this.hello!.responseNs! - this.hello!.post.sentNs;
    const stateless = this.dialect.meta !== null;
    this.handshake = {
      connectNs: atNs - sinceNs,
      headersNs: null,
      endpointNs: null,
      discoverNs: stateless ? helloNs : null,
      initializeNs: stateless ? null : helloNs,
      initializedNs: stateless ? null : readyNs - this.hello!.responseNs!,
      totalNs: readyNs - sinceNs,
    };
  }

  private async initialize(): Promise<number> {
    this.hello = await this.send(plainKind('initialize'), (id) =>
      initializeMessage(id, this.dialect, packageVersion()),
    );
    if (this.loss !== null) throw new Failure(this.loss, ExitCode.runFailed);
    const result = this.hello.response?.['result'] as { protocolVersion?: unknown } | null | undefined;
    if (typeof result !== 'object' || result === null)
      throw new Failure(`initialize was answered ${describeRefusal(this.hello)}`, ExitCode.runFailed);
    this.channel.agree(shortText(result.protocolVersion) ?? this.spoken.protocolVersion);
    const message = new OutgoingMessage(null);
    this.channel.send(initializedMessage, true, message, plainKind('notifications/initialized'));
    const { post } = await message.outcome(this.timeoutMs, this.channel);
    if (post.status === null || post.status > 299)
      throw new Failure(
        `notifications/initialized was answered ${post.status ?? post.failure}${post.note}`,
        ExitCode.runFailed,
      );
    return post.ackNs!;
  }

  // It need not be asked; yet nothing else says who the server is.
  private async discover(): Promise<number> {
    this.hello = await this.request('server/discover', {});
    if (this.hello.response === null)
      throw new Failure(`server/discover was answered ${describeRefusal(this.hello)}`, ExitCode.runFailed);
    return this.hello.responseNs!;
  }

  private async send(kind: MessageKind, render: (id: number) => string): Promise<Exchange> {
    const id = this.nextId++;
    const message = new OutgoingMessage(id);
    if (this.loss !== null) return message.toExchange(kind.method, this.loss);
    this.waiting.set(id, message);
    this.channel.send(render(id), false, message, kind);
    await message.outcome(this.timeoutMs, this.channel);
    this.waiting.delete(id);
    const { via } = message;
    if (via === 'event') this.bodies.events++;
    else if (via === 'post') this.bodies.json++;
    return message.toExchange(kind.method);
  }

  onStep(step: string, sinceNs: number, atNs: number): void {
    if (step === 'connect' || step === 'spawn') this.connected = { sinceNs, atNs };
  }

  onOpen(): void {
    this.opened(null);
  }

  onMessage(buffer: Buffer, start: number, end: number, atNs: number): void {
    for (const message of readMessages(buffer.toString('utf8', start, end)))
      this.take(message, end - start, atNs);
  }

  onRefusalBody(buffer: Buffer, start: number, end: number, atNs: number): void {
    this.onMessage(buffer, start, end, atNs);
  }

  onListening(): void {}

  onForgotten(message: string): void {
    this.loss ??= `the server does not know the session any more: ${message}`;
  }

  onTruncated(): void {}

  onAlive(): void {}

  onClosed({ message }: ChannelLoss): void {
    this.loss ??= message;
    this.opened(new Failure(message, ExitCode.runFailed));
    for (const waiting of this.waiting.values()) waiting.onFailed(false, message);
  }

  private take(message: ReadMessage, characters: number, atNs: number): void {
    if (message.kind === 'response') {
      // An error to what could not be read has no id: nothing else is under way.
      const waiting =
        message.id === null ? [...this.waiting.values()].at(-1) : this.waiting.get(Number(message.id));
      waiting?.take(message, characters, atNs);
    } else if (message.kind === 'request') {
      remember(this.asked, message.method);
      this.answer(message);
    } else if (message.kind === 'notification') remember(this.told, message.method);
  }

  private answer({ method, id }: ReadMessage & { kind: 'request' }): void {
    // Without sessions a server may ask nothing, and could not be answered.
    if (this.dialect.meta !== null || this.loss !== null || this.answering >= mostAnswering) return;
    if (typeof id !== 'number' && (typeof id !== 'string' || id.length > longestName)) return;
    this.answering++;
    const message = new OutgoingMessage(null);
    this.channel.send(answerServerRequest(method, JSON.stringify(id)), false, message, plainKind(''));
    void message.outcome(this.timeoutMs, this.channel).then(() => this.answering--);
  }

  private timeLimit(what: string): Promise<Failure> {
    return new Promise((resolve) => {
      const failure = new Failure(`${what} within ${this.timeoutMs / 1000} s`, ExitCode.runFailed);
      setTimeout(() => resolve(failure), this.timeoutMs).unref();
    });
  }
}

const mostMethods = 20;

function remember(methods: Set<string>, method: string): void {
  if (methods.size < mostMethods) methods.add(cut(method, longestName));
}

// What a message is about stands beside it, too, where the transport wants it.
function kindOf(method: string, params: object): MessageKind {
  const { name, uri } = params as { name?: unknown; uri?: unknown };
  const subject = typeof name === 'string' ? name : typeof uri === 'string' ? uri : null;
  return { method, subject, mirrored: [], once: true };
}

/** A plan of one session, which is all that a transport needs to know beside the target. */
function planFor(
  target: TargetPlan,
  spoken: Spoken,
  timeoutMs: number,
): Plan & { target: ReturnType<typeof speaking> } {
  const plan = planScenario({
    sessions: 1,
    workers: 1,
    load: { model: 'count', calls: 1 },
    calls: [{ method: 'ping' }],
    timeouts: { connect: `${timeoutMs}ms` },
  });
  return { ...plan, target: speaking(target, spoken) };
}
