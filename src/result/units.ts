const nothing = '–';

/** Nanoseconds as people read them, three significant digits: `850 ns`, `12.3 µs`, `1.00 ms`, `98.7 s`, `12 min 05 s`. */
export function formatDuration(ns: number): string {
  if (ns === Infinity) return 'never';
  if (!Number.isFinite(ns)) return nothing;
  if (ns < 0) return `−${formatDuration(-ns)}`;
  if (ns === 0) return '0 s';
  for (const [unit, size] of durationUnits) {
    const figure = significant(ns / size);
    // Rounding may reach the next unit: 999.9 µs is 1.00 ms.
    if (Number(figure) < 1000) return `${figure} ${unit}`;
  }
  return formatElapsed(ns / 1e6);
}

const durationUnits: [string, number][] = [
  ['ns', 1],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
];

/** As formatDuration but without the space, for narrow tables: `1.23ms`. */
export function formatDurationTight(ns: number): string {
  return formatDuration(ns).replaceAll(' ', '');
}

/** Milliseconds as a span of time: `8.0 s`, `45 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatElapsed(ms: number): string {
  if (!Number.isFinite(ms)) return nothing;
  if (ms < 9950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** Events per second without a unit: `43,012`, `512`, `12.3`, `0.250`. */
export function formatRate(perSec: number): string {
  if (!Number.isFinite(perSec)) return nothing;
  if (perSec === 0) return '0';
  return Math.abs(perSec) >= 99.95 ? formatCount(Math.round(perSec)) : significant(perSec);
}

/** A whole number with thousands set apart: `1,234,567`. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return nothing;
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Bytes in decimal units, three significant digits: `812 B`, `1.23 kB`, `45.6 MB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return nothing;
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  for (const [unit, size] of byteUnits) {
    const figure = significant(bytes / size);
    if (Number(figure) < 1000) return `${figure} ${unit}`;
  }
  return `${formatCount(bytes / 1e12)} TB`;
}

const byteUnits: [string, number][] = [
  ['kB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
];

/** A share as per cent. Never rounds "almost none" to 0 nor "almost all" to 100: `< 0.01 %`, `0.12 %`, `99.9 %`, `> 99.99 %`. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return nothing;
  const percent = share * 100;
  if (percent < 0) return `−${formatPercent(-share)}`;
  if (percent === 0) return '0 %';
  if (percent < 0.01) return '< 0.01 %';
  if (percent < 100 && percent > 99.99) return '> 99.99 %';
  if (percent > 99.9 && percent < 100) return `${(Math.floor(percent * 100) / 100).toFixed(2)} %`;
  if (percent < 1) return `${percent.toFixed(2)} %`;
  if (percent < 10) return `${trimmed(percent.toFixed(2))} %`;
  return percent < 100 ? `${trimmed(percent.toFixed(1))} %` : `${formatCount(percent)} %`;
}

/** `1 call`, `2 calls`, with the plural in `s` unless another is given. */
export function formatAmount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

function significant(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.9995) return value.toFixed(2);
  return value.toFixed(3);
}

function trimmed(figure: string): string {
  return figure.replace(/\.?0+$/, '');
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
