/** @typedef {import('../page-data.js').ChartData} ChartData */

/** Round values within a logarithmic axis: as many a decade as there is room for. @param {number} min @param {number} max @param {number} roomPx */
export function logTicks(min, max, roomPx) {
  const decades = Math.log10(max / min);
  const steps = roomPx / decades > 110 ? [1, 2, 5] : [1];
  /** @type {number[]} */
  const ticks = [];
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.log10(max); decade++)
    for (const step of decades < 0.5 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : steps) {
      const tick = Number((step * 10 ** decade).toPrecision(2));
      if (tick >= min && tick <= max) ticks.push(tick);
    }
  return ticks;
}

/** 0, 50, 90, 99 % and so on, as far as their labels do not run into each other, and 75 % where there is room. @param {number} max @param {number} roomPx */
export function percentileTicks(max, roomPx) {
  const perDecadePx = roomPx / Math.log10(max);
  const ticks = [1, ...(perDecadePx > 150 ? [2] : []), ...(perDecadePx > 220 ? [4] : [])];
  let endPx = 0;
  for (let decade = 1; 10 ** decade <= max; decade++) {
    // '90 %', '99 %', '99.9 %', '99.99 %': 7 pixels a character, and some air.
    const halfPx = 3.5 * (decade < 3 ? 4 : decade + 3) + 2;
    const atPx = decade * perDecadePx;
    if (decade > 1 && atPx - halfPx < endPx) continue;
    ticks.push(10 ** decade);
    endPx = atPx + halfPx;
  }
  return ticks.filter((tick) => tick <= max);
}

/** Limits of the y axis around what is shown. @param {ChartData['y']} y @param {number | null} min @param {number | null} max @returns {[number, number]} */
export function yLimits(y, min, max) {
  if (min === null || max === null || !(max > 0)) return y.log ? [1e5, 1e7] : [0, 1];
  if (!y.log) return [0, max * 1.1];
  const low = Math.max(1, min);
  // A line that is all but level should look level.
  return max / low < 1.5 ? [low / 2, max * 2] : [low * 0.8, max * 1.25];
}
