import { planScenario } from '../../scenario/load-scenario.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import type { DriveOptions } from '../fixtures/drive-shard.js';
import { plainScenario, type Played, runChecked } from '../fixtures/play.js';
import { answer } from '../fixtures/scripted-mcp.js';
import {
  type ScriptedConnection,
  type ScriptedRequest,
  ScriptedServer,
} from '../fixtures/scripted-server.js';

/** A message that was POSTed, ready to be answered. */
export interface Posted {
  readonly request: ScriptedRequest;
  readonly connection: ScriptedConnection;
  readonly message: {
    readonly id?: number | string;
    readonly method?: string;
    readonly params?: {
      readonly arguments?: { readonly message?: string };
      readonly _meta?: Readonly<Record<string, unknown>>;
      readonly inputResponses?: unknown;
      readonly requestState?: string;
    };
    readonly result?: unknown;
    readonly error?: { readonly code: number };
  };
  /** Number of the call over the whole server, from 0; only of calls. */
  readonly n: number;
}

/** What a test plays; what it leaves out is done as a server with sessions and JSON bodies does it. */
export interface StreamableScript {
  onInitialize?(posted: Posted, server: StreamableServer): void;
  onInitialized?(posted: Posted, server: StreamableServer): void;
  onCall?(posted: Posted, server: StreamableServer): void;
  /** Responses and notifications of the client. */
  onOther?(posted: Posted, server: StreamableServer): void;
  onGet?(request: ScriptedRequest, server: StreamableServer): void;
  onDelete?(request: ScriptedRequest, server: StreamableServer): void;
}

export const eventsHead =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A piece of a chunked body. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export const lastChunk = '0\r\n\r\n';

/** An event with one line of data, and an id where one is given. */
export function messageEvent(data: unknown, id?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${text}\n\n`;
}

/** An answer whose body is JSON. */
export function json(status: number, body: unknown, headers: readonly string[] = []): string {
  return answer(status, JSON.stringify(body), ['Content-Type: application/json', ...headers]);
}

/** The response that an echo of the post's message is. */
export function echoed({ message }: Posted, more: object = {}): object {
  const text = message.params?.arguments?.message ?? '';
  return { jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text }], ...more } };
}

export function failed({ message }: Posted, code: number): object {
  return { jsonrpc: '2.0', id: message.id, error: { code, message: 'scripted' } };
}

export function initializeResult({ message }: Posted, protocolVersion = '2025-11-25'): object {
  const serverInfo = { name: 'scripted', version: '1.2.3' };
  return {
    jsonrpc: '2.0',
    id: message.id,
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo },
  };
}

/** A scripted server of Streamable HTTP: a test changes what it wants to see mishandled. */
export class StreamableServer {
  readonly posts: Posted[] = [];
  /** GETs and DELETEs. */
  readonly others: ScriptedRequest[] = [];
  sessions = 0;
  wire!: ScriptedServer;
  private calls = 0;

  private constructor(private readonly script: StreamableScript) {}

  static async listen(script: StreamableScript): Promise<StreamableServer> {
    const server = new StreamableServer(script);
    server.wire = await ScriptedServer.listen((request) => server.take(request));
    return server;
  }

  get url(): string {
    return `${this.wire.origin}/mcp`;
  }

  get methods(): string[] {
    return this.posts.map(({ message }) => message.method ?? 'response');
  }

  get callsReceived(): number {
    return this.calls;
  }

  private take(request: ScriptedRequest): void {
    const { connection } = request;
    if (request.method !== 'POST') {
      this.others.push(request);
      const play = request.method === 'GET' ? this.script.onGet : this.script.onDelete;
      if (play !== undefined) return play.call(this.script, request, this);
      return connection.write(request.method === 'GET' ? answer(405) : answer(200));
    }
    const message = JSON.parse(request.body) as Posted['message'];
    const { method, id } = message;
    const isCall = method !== undefined && id !== undefined && method !== 'initialize';
    const posted = { request, connection, message, n: isCall ? this.calls++ : -1 };
    this.posts.push(posted);
    this.dispatch(posted, isCall);
  }

  private dispatch(posted: Posted, isCall: boolean): void {
    const { script } = this;
    const { connection, message } = posted;
    if (isCall) {
      if (script.onCall !== undefined) return script.onCall(posted, this);
      return connection.write(json(200, echoed(posted)));
    }
    if (message.method === 'initialize') {
      this.sessions++;
      if (script.onInitialize !== undefined) return script.onInitialize(posted, this);
      return connection.write(json(200, initializeResult(posted), [`Mcp-Session-Id: s-${this.sessions}`]));
    }
    const play = message.method === 'notifications/initialized' ? script.onInitialized : script.onOther;
    if (play !== undefined) return play.call(script, posted, this);
    connection.write(answer(202));
  }

  close(): Promise<void> {
    return this.wire.close();
  }
}

type Target = Extract<ScenarioInput['target'], object>;

export interface PlayStreamableOptions extends DriveOptions {
  readonly protocol?: Target['protocol'];
  /** Behind that of the server. */
  readonly path?: string;
  readonly target?: Partial<Target>;
}

/** Plays a script against the real engine; every call must have exactly one outcome, whatever the script does. */
export async function playStreamable(
  script: StreamableScript,
  scenario: Partial<ScenarioInput> = {},
  { protocol = '2025-11-25', path = '', target = {}, ...options }: PlayStreamableOptions = {},
): Promise<Played & { server: StreamableServer }> {
  const server = await StreamableServer.listen(script);
  try {
    const { load, ...plain } = plainScenario;
    const plan = planScenario({
      ...plain,
      ...(scenario.phases === undefined ? { load } : {}),
      ...scenario,
      target: { url: server.url + path, transport: 'streamable', protocol, ...target },
    });
    return { ...(await runChecked(plan, options)), server };
  } finally {
    await server.close();
  }
}

/** The same without sessions. */
export function playStateless(
  script: StreamableScript,
  scenario: Partial<ScenarioInput> = {},
  options: PlayStreamableOptions = {},
): Promise<Played & { server: StreamableServer }> {
  return playStreamable(script, scenario, { protocol: '2026-07-28', ...options });
}
