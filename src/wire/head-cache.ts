import type { ResponseHead } from './response-head.js';

const maxHeads = 4;
const maxHeadBytes = 1024;

/**
 * The last few heads seen, by their exact bytes. A server's answers to a million POSTs differ only in their Date, once a second,
 * so nearly every head is a comparison and no parse (scripts/bench-wire.ts shows what that saves).
 */
export class HeadCache {
  private readonly heads: ResponseHead[] = [];
  private oldest = 0;
  private last: ResponseHead | undefined;

  /** The head whose bytes stand at `start`, if it has been seen lately. */
  find(buffer: Buffer, start: number, end: number): ResponseHead | undefined {
    const last = this.last;
    if (last !== undefined && standsAt(last.bytes, buffer, start, end)) return last;
    for (const head of this.heads) {
      if (head === last || !standsAt(head.bytes, buffer, start, end)) continue;
      this.last = head;
      return head;
    }
    return undefined;
  }

  add(head: ResponseHead): void {
    if (head.bytes.length > maxHeadBytes) return;
    this.heads[this.oldest] = head;
    this.oldest = (this.oldest + 1) % maxHeads;
    this.last = head;
  }
}

function standsAt(head: Buffer, buffer: Buffer, start: number, end: number): boolean {
  const length = head.length;
  if (end - start < length) return false;
  for (let i = 0; i < length; i++) if (head[i] !== buffer[start + i]) return false;
  return true;
}
