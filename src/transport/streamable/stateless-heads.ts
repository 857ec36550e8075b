import { strayInHead } from '../../wire/head-text.js';
import type { MessageKind } from '../transport.js';
import type { StreamableWire } from './streamable-wire.js';

/** The heads of requests that say themselves all that a session would know: one for each kind of message and each path. */
export class StatelessHeads {
  private readonly byPath = new Map<string, WeakMap<MessageKind, string>>();
  private path = '';
  private heads = new WeakMap<MessageKind, string>();

  constructor(
    private readonly wire: StreamableWire,
    private readonly protocolVersion: string,
  ) {}

  /** What precedes the body of a message of this kind. */
  headOf(path: string, kind: MessageKind): string {
    if (kind.once) return this.render(path, kind);
    if (path !== this.path) this.turnTo(path);
    let head = this.heads.get(kind);
    if (head === undefined) {
      head = this.render(path, kind);
      this.heads.set(kind, head);
    }
    return head;
  }

  private turnTo(path: string): void {
    const known = this.byPath.get(path) ?? new WeakMap<MessageKind, string>();
    this.byPath.set(path, known);
    this.path = path;
    this.heads = known;
  }

  private render(path: string, { method, subject, mirrored }: MessageKind): string {
    return this.wire.postHead(path, [
      ['MCP-Protocol-Version', this.protocolVersion],
      ['Mcp-Method', headerText(method)],
      ...(subject === null ? [] : ([['Mcp-Name', headerText(subject)]] as const)),
      ...mirrored.map(([name, text]) => [`Mcp-Param-${name}`, headerText(text)] as const),
    ]);
  }
}

/** A text as the value of a header: as it is where HTTP keeps it so, else encoded as the specification wants it. */
export function headerText(text: string): string {
  const plain =
    strayInHead('value', text) === null &&
    !text.includes('\t') &&
    text.trim() === text &&
    !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
