import { formatCount, formatDuration, formatElapsed, formatRate } from '../../result/units.js';
import { displayWidth, truncate } from '../formats/display-width.js';
import { createStyle, type Style } from '../formats/style.js';
import { oneLine } from '../../text/one-line.js';

/** Where a run stands. */
export interface ProgressState {
  phase: string;
  elapsedMs: number;
  /** null where nobody knows how long it takes. */
  totalMs: number | null;
  sessionsReady: number;
  sessionsWanted: number;
  callsPerSec: number;
  /** Of the last second or so; null where no call has been answered. */
  p50Ns: number | null;
  p99Ns: number | null;
  errors: number;
  inFlight: number;
  /** Until the next burst is due; null where there are none, or they come too close to be waited for. */
  nextBurstMs: number | null;
}

export interface Progress {
  /** Takes the newest state, as often as it likes to come; shows it when it is time. */
  update(state: ProgressState): void;
  /** Takes the display away and gives the cursor back. */
  finish(): void;
}

/** As much of a terminal's stream as is needed: `process.stderr`, or a test's. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly columns?: number;
  readonly rows?: number;
  readonly writableNeedDrain?: boolean;
}

const frameMs = 250;
const lineMs = 5000;
const sparkMs = 1000;
const sparkMost = 120;
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';

/**
 * Shows a run while it runs: on a terminal a few lines repainted in place, at most four times a second; elsewhere a
 * plain line now and then, and at each new phase. Has no timers: it lives from its updates.
 */
export function createProgress(
  stream: ProgressStream,
  options: { tty: boolean; colour: boolean; width: number; nowMs?: () => number },
): Progress {
  const nowMs = options.nowMs ?? (() => performance.now());
  return options.tty ? paintedProgress(stream, options, nowMs) : plainProgress(stream, nowMs);
}

function plainProgress(stream: ProgressStream, nowMs: () => number): Progress {
  let phase: string | undefined;
  let writtenMs = -Infinity;
  return {
    update(state) {
      if (state.phase === phase && nowMs() - writtenMs < lineMs) return;
      phase = state.phase;
      writtenMs = nowMs();
      const figures = figuresOf(state).map(({ label, value }) => `${label} ${value}`);
      stream.write(`${formatElapsed(state.elapsedMs)} ${oneLine(phase)}: ${figures.join(', ')}\n`);
    },
    finish() {},
  };
}

function paintedProgress(
  stream: ProgressStream,
  options: { colour: boolean; width: number },
  nowMs: () => number,
): Progress {
  const style = createStyle(options.colour);
  const rates: number[] = [];
  let shown: string[] = [];
  let paintedMs = -Infinity;
  let sampledMs = -Infinity;
  let active = false;
  let finished = false;
  const restore = (): void => {
    stream.write(showCursor);
  };

  return {
    update(state) {
      const now = nowMs();
      if (finished || now - paintedMs < frameMs || stream.writableNeedDrain) return;
      if (now - sampledMs >= sparkMs) {
        rates.push(state.callsPerSec);
        if (rates.length > sparkMost) rates.shift();
        sampledMs = now;
      }
      paintedMs = now;
      const width = Math.max(10, stream.columns ?? options.width);
      const lines = frame(state, rates, width - 1, style).slice(0, Math.max(1, (stream.rows ?? 24) - 1));
      if (!active) process.once('exit', restore);
      stream.write(`${active ? '' : hideCursor}${erase(shown, width)}${lines.join('\n')}`);
      active = true;
      shown = lines;
    },
    finish() {
      if (finished) return;
      finished = true;
      if (!active) return;
      process.off('exit', restore);
      stream.write(erase(shown, Math.max(10, stream.columns ?? options.width)) + showCursor);
    },
  };
}

/** Back to where the last frame began; a terminal made narrower since has broken its lines into more. */
function erase(shown: readonly string[], width: number): string {
  if (shown.length === 0) return '';
  const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);
  return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`;
}

function frame(state: ProgressState, rates: readonly number[], width: number, style: Style): string[] {
  const lines = [barLine(state, width, style), figureLine(state, width, style)];
  if (width >= 40 && rates.length > 1) lines.push(`${style.faint('calls/s ')}${sparkline(rates, width - 8)}`);
  return lines;
}

function barLine(state: ProgressState, width: number, style: Style): string {
  const { elapsedMs, totalMs } = state;
  const time =
    totalMs === null
      ? formatElapsed(elapsedMs)
      : `${formatElapsed(elapsedMs)} of ${formatElapsed(totalMs)}, ${formatElapsed(Math.max(0, totalMs - elapsedMs))} left`;
  const phase = truncate(oneLine(state.phase), Math.max(8, Math.floor(width / 4)));
  const room = Math.min(40, width - displayWidth(phase) - displayWidth(time) - 4);
  if (totalMs === null || room < 5) return truncate(`${phase}  ${time}`, width);
  const done = Math.round(Math.min(1, Math.max(0, elapsedMs / Math.max(1, totalMs))) * room);
  return `${style.strong(phase)}  ${style.good('━'.repeat(done))}${style.faint('─'.repeat(room - done))}  ${time}`;
}

/** As many of the figures as fit, in the order of their importance. */
function figureLine(state: ProgressState, width: number, style: Style): string {
  let line = '';
  let used = 0;
  for (const { label, value, bad } of figuresOf(state)) {
    const taken = displayWidth(`${label} ${value}`) + (used === 0 ? 0 : 3);
    if (used + taken > width) break;
    line += `${used === 0 ? '' : style.faint(' · ')}${style.faint(label)} ${bad ? style.bad(value) : value}`;
    used += taken;
  }
  return line;
}

function figuresOf(state: ProgressState): { label: string; value: string; bad?: boolean }[] {
  return [
    ...(state.nextBurstMs === null
      ? []
      : [{ label: 'next burst in', value: formatElapsed(state.nextBurstMs) }]),
    { label: 'calls/s', value: formatRate(state.callsPerSec) },
    { label: 'errors', value: formatCount(state.errors), bad: state.errors > 0 },
    ...(state.p50Ns === null ? [] : [{ label: 'p50', value: formatDuration(state.p50Ns) }]),
    ...(state.p99Ns === null ? [] : [{ label: 'p99', value: formatDuration(state.p99Ns) }]),
    { label: 'sessions', value: `${formatCount(state.sessionsReady)}/${formatCount(state.sessionsWanted)}` },
    { label: 'in flight', value: formatCount(state.inFlight) },
  ];
}

/** The newest values as a row of bars, on a scale from zero to the largest of them. */
export function sparkline(values: readonly number[], width: number): string {
  const latest = values.slice(-Math.max(0, width));
  const most = Math.max(...latest, Number.MIN_VALUE);
  return latest.map((value) => '▁▂▃▄▅▆▇█'[Math.round((Math.max(0, value) / most) * 7)]).join('');
}
