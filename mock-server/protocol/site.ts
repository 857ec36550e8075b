import type { Dialect, EventText, Refusal } from './dialects/dialect.js';
import { httpReply } from '../http/http-reply.js';
import type { HttpReply } from '../http/http-reply.js';
import { errorJson, RpcError } from './json-rpc.js';
import { ToolResult } from '../tools/tool.js';
import type { ToolFailed, ToolOutcome } from '../tools/tool.js';
import type { WireOptions } from './wire-options.js';
import { toolExecutionError } from './dialects/pymcp.js';

/** What some sites write in another way than the rest: the first event of a stream, and requests of the server. */
export type EventKind = 'first' | 'request' | 'other';

/** One dialect as it is served under one path prefix: everything that can be put together before a request comes. */
export class Site {
  readonly accepted: HttpReply;
  readonly streamPath: string;
  readonly messagesPath: string;
  /** Nothing but "202 at once, then the event" is asked of this site: the hot path may be taken. */
  readonly plain: boolean;
  /** Sessions need no handshake before they are served. */
  readonly readyFromStart: boolean;
  private readonly endOfLine: string;
  private readonly endOfEvent: string;
  private readonly endOfFirstEvent: string;
  private readonly responseHead: string;
  private readonly responseTail: string;

  constructor(
    readonly dialect: Dialect,
    readonly wire: WireOptions,
    readonly prefix: string,
  ) {
    this.accepted = httpReply(wire.acceptedStatus, wire.acceptedBody, '', { chunked: wire.acceptedChunked });
    this.streamPath = prefix + dialect.streamPath;
    this.messagesPath = prefix + wire.messagesPath;
    this.endOfLine = { lf: '\n', crlf: '\r\n', cr: '\r', mixed: '\n', 'mixed-endpoint': '\n' }[
      wire.lineEnding
    ];
    this.endOfEvent = wire.lineEnding === 'mixed' ? '\r\n\r\n' : this.endOfLine + this.endOfLine;
    this.endOfFirstEvent = wire.lineEnding === 'mixed-endpoint' ? '\r\n\r\n' : this.endOfEvent;
    const space = this.spaceIn('other');
    this.responseHead = `event:${space}${dialect.responseEvent}${this.endOfLine}data:${space}{"jsonrpc":"2.0",`;
    this.responseTail = `}${this.endOfEvent}`;
    this.plain =
      wire.ack === 'at-once' &&
      !wire.jsonInPost &&
      !wire.broadcast &&
      !wire.eventIds &&
      !wire.splitEvents &&
      wire.queueLimit === 0 &&
      wire.initialized !== 'gate' &&
      dialect.sessionParam !== '';
    this.readyFromStart =
      wire.beforeInitialize === 'serve' && (wire.initialized === 'accept' || wire.initialized === 'error');
  }

  refuse(refusal: Refusal, idJson = 'null', body = ''): HttpReply {
    const reply = this.dialect.refuse(refusal, { idJson, body, errorData: this.wire.errorData });
    if (refusal === 'malformedJson' && reply.status !== this.wire.malformedJsonStatus)
      return httpReply(this.wire.malformedJsonStatus, reply.body, reply.contentType);
    if (refusal === 'unknownSession' && typeof this.wire.unknownSession === 'number')
      return httpReply(this.wire.unknownSession, reply.body, reply.contentType);
    return reply;
  }

  /** The members of a response after `"jsonrpc"`: `"result":…` or `"error":…` with the id, in this dialect's order. */
  responseMembers(idJson: string, outcome: ToolOutcome): string {
    const member =
      typeof outcome === 'string'
        ? `"result":${this.dialect.bareResults ? outcome : this.content(outcome)}`
        : outcome instanceof ToolResult
          ? `"result":${outcome.json}`
          : this.failure(outcome);
    return this.dialect.idLast ? `${member},"id":${idJson}` : `"id":${idJson},${member}`;
  }

  /** The same for a method that is no tool: its result is not wrapped. */
  methodMembers(idJson: string, outcome: string | RpcError): string {
    const member =
      typeof outcome === 'string'
        ? `"result":${outcome}`
        : `"error":${errorJson(outcome, this.wire.errorData)}`;
    return this.dialect.idLast ? `${member},"id":${idJson}` : `"id":${idJson},${member}`;
  }

  /** A response as an event, where events carry no ids of their own. */
  responseEvent(members: string): string {
    return this.responseHead + members + this.responseTail;
  }

  /** Any event; `eventId` 0 for none. */
  event({ event, data }: EventText, eventId = 0, kind: EventKind = 'other'): string {
    const space = this.spaceIn(kind);
    const dataSpace = kind === 'request' && this.wire.spaceAfterColon === 'except-requests' ? '' : space;
    const eol = this.endOfLine;
    const first = kind === 'first';
    const name = event === '' ? '' : `event:${space}${event}${eol}`;
    const id = eventId === 0 ? '' : `${eol}id:${space}${eventId}`;
    const retry = first && this.wire.retryMs > 0 ? `${eol}retry:${space}${this.wire.retryMs}` : '';
    return `${name}data:${dataSpace}${data}${id}${retry}${first ? this.endOfFirstEvent : this.endOfEvent}`;
  }

  /** A comment line, which no reader takes for an event. */
  comment(text: string): string {
    return `:${text}${this.endOfEvent}`;
  }

  private spaceIn(kind: EventKind): string {
    const { spaceAfterColon } = this.wire;
    if (spaceAfterColon === 'endpoint') return kind === 'first' ? ' ' : '';
    return spaceAfterColon === 'never' ? '' : ' ';
  }

  private content(valueJson: string): string {
    // A tool's value is JSON: a string is its own text, anything else is shown as the text of its JSON.
    const text = valueJson.charCodeAt(0) === 34 ? valueJson : JSON.stringify(valueJson);
    return this.wire.explicitIsError
      ? `{"content":[{"type":"text","text":${text}}],"isError":false}`
      : `{"content":[{"type":"text","text":${text}}]}`;
  }

  private failure(outcome: RpcError | ToolFailed): string {
    if (outcome instanceof RpcError) return `"error":${errorJson(outcome, this.wire.errorData)}`;
    if (this.dialect.bareResults)
      return `"error":${errorJson(new RpcError(toolExecutionError, outcome.message), this.wire.errorData)}`;
    return `"result":{"content":[{"type":"text","text":${JSON.stringify(outcome.message)}}],"isError":true}`;
  }
}
