import { Agent, type Dispatcher, request } from 'undici';
import { nowNs } from '../clock.js';
import { packageVersion } from '../version.js';
import { headNote } from '../wire/head-note.js';
import { strayInHead } from '../wire/head-text.js';
import { SseParser } from '../wire/sse-parser.js';
import type { Exchange, ProbeClient } from './exchange.js';
import type { PostAnswer } from './observed-posts.js';
import { type ReadMessage, readMessages } from '../mcp/read-messages.js';
import type { TargetAccess } from '../detect/target-access.js';

const sessionsVersion = '2025-06-18';
const statelessVersion = '2026-07-28';
const mostBytes = 16 * 1024 * 1024;
// Of an event stream, which is read as it comes.
const keptBytes = 64 * 1024;

/** Which of the two ages of Streamable HTTP a server lives in. */
export type Era = 'stateless' | 'sessions';

/** A client of Streamable HTTP that asks one thing at a time: enough to see who is there. */
export class StreamableClient implements ProbeClient {
  readonly argumentsKey = 'arguments';
  sessionId: string | null = null;
  protocolVersion: string;
  private readonly agent: Agent;
  private nextId = 1;

  constructor(
    private readonly access: TargetAccess,
    private readonly timeoutMs: number,
    private readonly era: Era,
  ) {
    this.protocolVersion = era === 'stateless' ? statelessVersion : sessionsVersion;
    const { tls, unixSocket } = access.target;
    this.agent = new Agent({
      connect: {
        timeout: timeoutMs,
        rejectUnauthorized: tls.verify,
        ...(tls.ca === null ? {} : { ca: tls.ca }),
        ...(tls.cert === null ? {} : { cert: tls.cert }),
        ...(tls.key === null ? {} : { key: tls.key }),
        ...(unixSocket === null ? {} : { socketPath: unixSocket }),
      },
    });
  }

  /** What `initialize` takes of us. */
  get introduction(): object {
    return {
      protocolVersion: this.protocolVersion,
      capabilities: {},
      clientInfo: { name: 'mcp-bench', version: packageVersion() },
    };
  }

  async request(method: string, params: object): Promise<Exchange> {
    const id = this.nextId++;
    const sent = this.era === 'stateless' ? { ...params, _meta: this.meta() } : params;
    const { post, response, responseNs } = await this.send(
      { jsonrpc: '2.0', id, method, params: sent },
      { ...this.eraHeaders(method, params) },
      id,
    );
    return {
      method,
      post,
      response: response?.kind === 'response' ? response.body : null,
      responseNs,
      via: response === null ? null : 'post',
      eventName: null,
      cameTwice: false,
      coercedId: response?.kind === 'response' && typeof response.id !== 'number',
      unread: response?.kind === 'response' ? response.unread : null,
      characters: post.body.length,
    };
  }

  async notify(method: string): Promise<PostAnswer> {
    return (await this.send({ jsonrpc: '2.0', method }, this.eraHeaders(method, {}), null)).post;
  }

  /** Ends the session, where there is one, and all connections. */
  async close(): Promise<void> {
    if (this.sessionId !== null) await this.dispatch('DELETE', undefined, {}).catch(() => undefined);
    await this.agent.destroy();
  }

  private async send(
    message: object,
    headers: Record<string, string>,
    id: number | null,
  ): Promise<{ post: PostAnswer; response: ReadMessage | null; responseNs: number | null }> {
    const post: PostAnswer = {
      sentNs: nowNs(),
      status: null,
      ackNs: null,
      headers: null,
      body: '',
      note: '',
      reusedConnection: false,
      failure: null,
    };
    try {
      const answer = await this.dispatch('POST', JSON.stringify(message), headers);
      post.ackNs = nowNs();
      post.status = answer.statusCode;
      post.note = noteOf(answer);
      const session = answer.headers['mcp-session-id'];
      if (typeof session === 'string') this.takeSession(session);
      const { text, response } = await readAnswer(answer, id);
      post.body = text;
      return { post, response, responseNs: response === null ? null : nowNs() };
    } catch (error) {
      const { name, message: why } = error as Error;
      post.failure = name === 'TimeoutError' ? `no answer within ${this.timeoutMs / 1000} s` : why;
      return { post, response: null, responseNs: null };
    }
  }

  // Every later request has it in its head.
  private takeSession(id: string): void {
    const stray = strayInHead('target', id);
    if (stray !== null)
      throw new Error(`the server's session id has ${stray} in it, which no header may hold`);
    this.sessionId = id;
  }

  private dispatch(
    method: 'POST' | 'DELETE',
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Dispatcher.ResponseData> {
    return request(this.access.target.url, {
      dispatcher: this.agent,
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.sessionId === null ? {} : { 'mcp-session-id': this.sessionId }),
        ...headers,
        ...this.access.target.headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
  }

  private meta(): object {
    const { capabilities, clientInfo } = this.introduction as Record<string, unknown>;
    return {
      'io.modelcontextprotocol/protocolVersion': this.protocolVersion,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': clientInfo,
    };
  }

  private eraHeaders(method: string, params: object): Record<string, string> {
    if (this.era === 'sessions')
      return method === 'initialize' ? {} : { 'mcp-protocol-version': this.protocolVersion };
    const { name, uri } = params as { name?: unknown; uri?: unknown };
    const subject = typeof name === 'string' ? name : typeof uri === 'string' ? uri : null;
    return {
      'mcp-protocol-version': this.protocolVersion,
      'mcp-method': method,
      ...(subject === null ? {} : { 'mcp-name': headerValue(subject) }),
    };
  }
}

// What may not go into a header goes encoded, as the specification has it.
function headerValue(text: string): string {
  return strayInHead('value', text) === null ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function noteOf({ statusCode, headers }: Dispatcher.ResponseData): string {
  const get = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return headNote(statusCode, { location: get('location') ?? '', get });
}

// JSON or events, by the content type; of events only as many are read as it takes to find the response.
async function readAnswer(
  answer: Dispatcher.ResponseData,
  id: number | null,
): Promise<{ text: string; response: ReadMessage | null }> {
  const isStream = /^text\/event-stream/i.test(String(answer.headers['content-type'] ?? ''));
  const isOurs = (message: ReadMessage): boolean =>
    message.kind === 'response' && (Number(message.id) === id || message.id === null);
  let found: ReadMessage | null = null;
  const parts: Buffer[] = [];
  let bytes = 0;
  const events = new SseParser({
    onEvent: (_event, buffer, start, end) => {
      if (end > start) found ??= readMessages(buffer.toString('utf8', start, end)).find(isOurs) ?? null;
    },
  });
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (isStream) events.feed(chunk);
    if (!isStream || bytes <= keptBytes) parts.push(chunk);
    if (found !== null) break;
    if (bytes > mostBytes) throw new Error(`the answer is larger than ${mostBytes / 1024 / 1024} MiB`);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (!isStream && id !== null) found = readMessages(text).find(isOurs) ?? null;
  return { text, response: found };
}
