import { afterEach, expect, test } from 'vitest';
import { displayWidth } from '../formats/display-width.js';
import { createProgress, sparkline, type Progress, type ProgressState } from './progress.js';

const state: ProgressState = {
  phase: 'steady',
  elapsedMs: 12_000,
  totalMs: 30_000,
  sessionsReady: 1_000,
  sessionsWanted: 1_000,
  callsPerSec: 43_012,
  p50Ns: 1.23e6,
  p99Ns: 4.56e6,
  errors: 0,
  nextBurstMs: null,
  inFlight: 400,
};

const started: Progress[] = [];
afterEach(() => {
  for (const progress of started.splice(0)) progress.finish();
});

function setUp(options: { tty: boolean; colour?: boolean; width?: number }) {
  const written: string[] = [];
  const stream = {
    write: (text: string) => written.push(text),
    columns: options.width ?? 80,
    rows: 24,
    writableNeedDrain: false,
  };
  const clock = { ms: 0 };
  const progress = createProgress(stream, {
    tty: options.tty,
    colour: options.colour ?? false,
    width: 80,
    nowMs: () => clock.ms,
  });
  started.push(progress);
  return { written, stream, clock, progress };
}

test('a terminal gets at most four frames a second however many updates come', () => {
  const { written, clock, progress } = setUp({ tty: true });
  for (clock.ms = 0; clock.ms < 10_000; clock.ms++) progress.update({ ...state, elapsedMs: clock.ms });
  expect(written).toHaveLength(40);
});

test('a frame shows the state in place of the one before', () => {
  const { written, clock, progress } = setUp({ tty: true });
  progress.update(state);
  clock.ms = 1000;
  progress.update({ ...state, elapsedMs: 13_000, callsPerSec: 20_000, errors: 3 });
  clock.ms = 2000;
  progress.update(state);
  const screen = new Screen(80);
  screen.write(written[0]!);
  expect(screen.lines()).toEqual([
    `steady  ${'━'.repeat(16)}${'─'.repeat(24)}  12 s of 30 s, 18 s left`,
    'calls/s 43,012 · errors 0 · p50 1.23 ms · p99 4.56 ms · sessions 1,000/1,000',
  ]);
  screen.write(written[1]!);
  expect(screen.lines().slice(1)).toEqual([
    'calls/s 20,000 · errors 3 · p50 1.23 ms · p99 4.56 ms · sessions 1,000/1,000',
    'calls/s █▄',
  ]);
  expect(screen.lines()[0]).toContain('13 s of 30 s, 17 s left');
  screen.write(written[2]!);
  expect(screen.lines()).toHaveLength(3);
});

test('at the end nothing is left of it, and the cursor is back', () => {
  const { written, progress } = setUp({ tty: true });
  const listeners = process.listenerCount('exit');
  const screen = new Screen(80);
  screen.write('before\n');
  progress.update(state);
  progress.finish();
  progress.finish();
  progress.update(state);
  for (const text of written) screen.write(text);
  expect(screen.lines()).toEqual(['before']);
  expect(screen.cursorVisible).toBe(true);
  expect(written).toHaveLength(2);
  expect(process.listenerCount('exit')).toBe(listeners);
});

test('nothing was shown, nothing is taken away', () => {
  const { written, progress } = setUp({ tty: true });
  progress.finish();
  expect(written).toEqual([]);
});

test('a terminal that was made narrower is cleared of what it broke into more lines', () => {
  const { written, clock, stream, progress } = setUp({ tty: true, width: 120 });
  progress.update(state);
  const screen = new Screen(120);
  screen.write('before\n');
  screen.write(written[0]!);
  screen.resize(50);
  stream.columns = 50;
  clock.ms = 300;
  progress.update(state);
  screen.write(written[1]!);
  expect(screen.lines()).toHaveLength(3);
  expect(screen.lines()[0]).toBe('before');
});

test.each([10, 20, 30, 40, 60, 80, 200])('in %d columns no line is broken', (width) => {
  const { written, clock, progress } = setUp({ tty: true, width });
  progress.update({ ...state, phase: 'a phase with a rather long name' });
  clock.ms = 1000;
  progress.update({ ...state, errors: 12 });
  const screen = new Screen(width);
  for (const text of written) screen.write(text);
  expect(screen.lines().length).toBeLessThanOrEqual(3);
  expect(Math.max(...screen.lines().map(displayWidth))).toBeLessThan(width);
});

test('a slow terminal is not written to', () => {
  const { written, stream, progress } = setUp({ tty: true });
  stream.writableNeedDrain = true;
  progress.update(state);
  expect(written).toEqual([]);
});

test('an unknown end and no answers yet', () => {
  const { written, progress } = setUp({ tty: true });
  progress.update({ ...state, totalMs: null, p50Ns: null, p99Ns: null });
  const screen = new Screen(80);
  screen.write(written[0]!);
  expect(screen.lines()).toEqual([
    'steady  12 s',
    'calls/s 43,012 · errors 0 · sessions 1,000/1,000 · in flight 400',
  ]);
});

test('what is no terminal gets a plain line every five seconds and at each phase', () => {
  const { written, clock, progress } = setUp({ tty: false });
  for (clock.ms = 0; clock.ms <= 12_000; clock.ms += 100)
    progress.update({ ...state, elapsedMs: clock.ms, phase: clock.ms < 7_000 ? 'opening' : 'steady' });
  progress.finish();
  const rest = 'calls/s 43,012, errors 0, p50 1.23 ms, p99 4.56 ms, sessions 1,000/1,000, in flight 400\n';
  expect(written).toEqual([
    `0.0 s opening: ${rest}`,
    `5.0 s opening: ${rest}`,
    `7.0 s steady: ${rest}`,
    `12 s steady: ${rest}`,
  ]);
});

test('without colour there are no colours, with it there are', () => {
  for (const colour of [false, true]) {
    const { written, progress } = setUp({ tty: true, colour });
    progress.update(state);
    expect(written[0]!.includes('\u001b[2m')).toBe(colour);
  }
});

test('a spark line shows the newest values on one scale', () => {
  expect(sparkline([0, 50, 100], 10)).toBe('▁▅█');
  expect(sparkline([100, 1, 1], 2)).toBe('██');
  expect(sparkline([0, 0], 5)).toBe('▁▁');
});

/** As much of a terminal as the display uses: lines that wrap, carriage return, cursor up, erase below, cursor on and off. */
class Screen {
  cursorVisible = true;
  private rows: string[][] = [[]];
  private row = 0;
  private column = 0;
  constructor(private width: number) {}

  write(text: string): void {
    // oxlint-disable-next-line no-control-regex
    for (const [part] of text.matchAll(/\u001b\[[?\d]*[a-zA-Z]|[^]/gu)) this.take(part);
  }

  lines(): string[] {
    const lines = this.rows.map((row) => row.join('').trimEnd());
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** Breaks lines anew, as terminals do; the cursor stays with its text. */
  resize(width: number): void {
    const lines = this.lines();
    this.width = width;
    this.rows = [[]];
    this.row = this.column = 0;
    this.write(lines.join('\n'));
  }

  private take(part: string): void {
    if (part === '\n') this.moveTo(this.row + 1, 0);
    else if (part === '\r') this.column = 0;
    else if (part === '\u001b[J')
      this.rows = [...this.rows.slice(0, this.row), this.rows[this.row]!.slice(0, this.column)];
    else if (part === '\u001b[?25l') this.cursorVisible = false;
    else if (part === '\u001b[?25h') this.cursorVisible = true;
    else if (/^.\[\d+A$/.test(part)) this.row = Math.max(0, this.row - Number(part.slice(2, -1)));
    else if (/^.\[\d+m$/.test(part)) return;
    else if (part.startsWith('\u001b')) throw new Error(`unknown sequence ${JSON.stringify(part)}`);
    else this.put(part);
  }

  private put(character: string): void {
    if (this.column >= this.width) this.moveTo(this.row + 1, 0);
    this.rows[this.row]![this.column++] = character;
  }

  private moveTo(row: number, column: number): void {
    this.row = row;
    this.column = column;
    while (this.rows.length <= row) this.rows.push([]);
  }
}
