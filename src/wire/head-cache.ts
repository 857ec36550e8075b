import type { ResponseHead } from './response-head.js';

const maxHeads = 2;
const maxHeadBytes = 1024;

/**
 * The last few heads seen, by their exact bytes. A server's answers to a million POSTs differ only in their Date, once a second,
 * so nearly every head is a comparison and no parse (scripts/bench/bench-wire.ts shows what that saves).
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

// Eight bytes at a time, which takes two thirds of the time of one by one; Buffer.compare takes longer than either.
function standsAt(head: Buffer, buffer: Buffer, start: number, end: number): boolean {
  const length = head.length;
  if (end - start < length) return false;
  let i = 0;
  for (let at = start; i + 7 < length; i += 8, at += 8)
    if (
      ((head[i]! ^ buffer[at]!) |
        (head[i + 1]! ^ buffer[at + 1]!) |
        (head[i + 2]! ^ buffer[at + 2]!) |
        (head[i + 3]! ^ buffer[at + 3]!) |
        (head[i + 4]! ^ buffer[at + 4]!) |
        (head[i + 5]! ^ buffer[at + 5]!) |
        (head[i + 6]! ^ buffer[at + 6]!) |
        (head[i + 7]! ^ buffer[at + 7]!)) !==
      0
    )
      return false;
  for (; i < length; i++) if (head[i] !== buffer[start + i]) return false;
  return true;
}
