// The same words as the tables of the page, which are made by src/result/units.ts: a test holds the two together.

/** @typedef {import('../page-data.js').ChartData} ChartData */

/** A value of a chart with its unit. @param {number | null | undefined} value @param {ChartData['y']['unit']} unit */
export function formatFigure(value, unit) {
  if (value === null || value === undefined) return '–';
  if (unit === 'ns') return formatDuration(value);
  return unit === 'perSec' ? `${formatRate(value)}/s` : formatCount(value);
}

/** A place on the x axis. @param {number} x @param {ChartData['x']['unit']} unit */
export function formatPlace(x, unit) {
  return unit === 'seconds' ? formatTime(x) : `p${formatShare(x)}`;
}

/** 1,000 is 99.9: as many digits as tell it from its neighbours. @param {number} x */
export function formatShare(x) {
  const digits = Math.max(0, Math.ceil(Math.log10(x)));
  const text = (100 * (1 - 1 / x)).toFixed(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** @param {number} ns */
export function formatDuration(ns) {
  if (ns === 0) return '0 s';
  /** @type {[string, number][]} */
  const units = [
    ['ns', 1],
    ['µs', 1e3],
    ['ms', 1e6],
    ['s', 1e9],
  ];
  for (const [unit, size] of units) {
    const figure = significant(ns / size);
    if (Number(figure) < 1000) return `${figure} ${unit}`;
  }
  return `${formatCount(ns / 1e9)} s`;
}

/** @param {number} perSec */
export function formatRate(perSec) {
  if (perSec === 0) return '0';
  return Math.abs(perSec) >= 99.95 ? formatCount(perSec) : significant(perSec);
}

/** @param {number} count */
export function formatCount(count) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Seconds since the start. @param {number} sec */
export function formatTime(sec) {
  if (sec < 60) return `${Math.round(sec * 10) / 10} s`;
  return `${Math.floor(sec / 60)}:${String(Math.floor(sec % 60)).padStart(2, '0')}`;
}

/** A round figure on an axis, without the zeros that only say how exact it is. @param {number} value @param {ChartData['y']['unit']} unit */
export function formatTick(value, unit) {
  if (unit === 'ns')
    return formatDuration(value)
      .replace(/(\.\d*?)0+ /, '$1 ')
      .replace('. ', ' ');
  return Math.abs(value) >= 1 ? formatCount(value) : String(value);
}

/** @param {number} value */
function significant(value) {
  const size = Math.abs(value);
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  return value.toFixed(size >= 0.9995 ? 2 : 3);
}
