import { cut } from '../text/cut.js';
import { oneLine } from '../text/one-line.js';

const keptBytes = 2048;
const shownLines = 3;
const longestLine = 300;

/** Keeps the end of what a process writes, however much that is. */
export class LastWords {
  private kept: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    // A copy: the chunk is part of something larger.
    this.kept = Buffer.concat([this.kept, chunk.subarray(-keptBytes)]).subarray(-keptBytes);
  }

  /** Its last lines, in one. */
  get text(): string {
    return this.kept
      .toString('utf8')
      .split('\n')
      .map((line) => cut(oneLine(line), longestLine))
      .filter((line) => line !== '')
      .slice(-shownLines)
      .join(' | ');
  }
}
