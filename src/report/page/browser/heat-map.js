import { formatCount, formatDuration, formatTime } from './format.js';

/** @typedef {import('../page-data.js').HeatMapData} HeatMapData */

/** Lets the mouse and the keys read a heat map's cells. @param {HeatMapData} map */
export function readHeatMap(map) {
  const figure = document.getElementById(map.id);
  const place = /** @type {HTMLElement | null} */ (figure?.querySelector('.heat-plot'));
  const cursor = /** @type {HTMLElement | null} */ (figure?.querySelector('.heat-cursor'));
  const readout = figure?.querySelector('.readout');
  if (!place || !cursor || !readout) return;
  const { timesSec, edgesNs, columns } = map;
  const startSec = timesSec[0] ?? 0;
  const endSec = timesSec.at(-1) ?? 1;
  const rows = edgesNs.length - 1;
  let column = 0;
  let row = busiestRow(columns[0] ?? []);

  const show = () => {
    const [fromSec, toSec] = [timesSec[column] ?? 0, timesSec[column + 1] ?? endSec];
    const width = endSec - startSec;
    cursor.hidden = false;
    cursor.style.left = `${((fromSec - startSec) / width) * 100}%`;
    cursor.style.width = `${((toSec - fromSec) / width) * 100}%`;
    cursor.style.top = `${(row / rows) * 100}%`;
    cursor.style.height = `${100 / rows}%`;
    const text = `${formatTime(fromSec)} to ${formatTime(toSec)}, ${formatDuration(edgesNs[row + 1] ?? 0)} to ${formatDuration(edgesNs[row] ?? 0)}: ${callsText(countAt(columns[column] ?? [], row))}`;
    readout.textContent = text;
    place.setAttribute('aria-valuenow', String(column));
    place.setAttribute('aria-valuetext', text);
  };
  const hide = () => {
    cursor.hidden = true;
    readout.textContent = '\u00a0';
  };
  place.addEventListener('pointermove', (event) => {
    const box = place.getBoundingClientRect();
    const sec = startSec + ((event.clientX - box.left) / box.width) * (endSec - startSec);
    column = clamp(
      timesSec.findLastIndex((from) => from <= sec),
      columns.length,
    );
    row = clamp(Math.floor(((event.clientY - box.top) / box.height) * rows), rows);
    show();
  });
  place.addEventListener('pointerleave', hide);
  place.addEventListener('blur', hide);
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!cursor.hidden) {
      column = clamp(column + move[0], columns.length);
      row = clamp(row + move[1], rows);
      // Moving on in time, one wants to know where most calls are now.
      if (move[0] !== 0) row = busiestRow(columns[column] ?? [], row);
    }
    show();
  });
}

/** @type {Record<string, [number, number]>} */
const moves = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [10, 0],
  PageDown: [-10, 0],
  Home: [-1e9, 0],
  End: [1e9, 0],
};

/** @param {number} value @param {number} length */
function clamp(value, length) {
  return Math.max(0, Math.min(length - 1, value));
}

/** @param {number[]} column row, count, row, count… @param {number} row */
function countAt(column, row) {
  for (let i = 0; i < column.length; i += 2) if (column[i] === row) return column[i + 1] ?? 0;
  return 0;
}

/** @param {number[]} column @param {number} [otherwise] */
function busiestRow(column, otherwise = 0) {
  let best = 0;
  let found = otherwise;
  for (let i = 0; i < column.length; i += 2)
    if ((column[i + 1] ?? 0) > best) {
      best = column[i + 1] ?? 0;
      found = column[i] ?? 0;
    }
  return found;
}

/** @param {number} count */
function callsText(count) {
  if (count === 0) return 'no call';
  return count === 1 ? '1 call' : `${formatCount(count)} calls`;
}
