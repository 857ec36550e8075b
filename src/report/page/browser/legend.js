import { formatFigure, formatPlace } from './format.js';

/** @typedef {import('../page-data.js').ChartData} ChartData */

/**
 * The names of the lines as buttons that hide and show them, and the figures under the cursor beside them.
 * @param {HTMLElement} place @param {ChartData} chart @param {(line: number, shown: boolean) => void} toggle
 */
export function createLegend(place, chart, toggle) {
  const where = document.createElement('span');
  where.className = 'readout';
  const figures = chart.series.map((series, at) => {
    if (series.partOf !== undefined) return null;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = `line c${series.colour}`;
    button.setAttribute('aria-pressed', 'true');
    button.append(swatch(series), series.name);
    button.addEventListener('click', () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      chart.series.forEach(({ partOf }, line) => {
        if (line === at || partOf === series.name) toggle(line, shown);
      });
    });
    const figure = document.createElement('span');
    figure.className = 'value';
    const item = document.createElement('span');
    item.className = 'item';
    item.append(button, figure);
    place.append(item);
    return figure;
  });
  place.append(where);
  return {
    /** Shows the figures at one place of the x axis, or none; returns them in words. @param {number | null} at */
    show(at) {
      const x = at === null ? undefined : chart.x.values[at];
      where.textContent = x === undefined ? '' : `at ${formatPlace(x, chart.x.unit)}`;
      const texts = chart.series.flatMap(({ name, values }, line) => {
        const figure = figures[line];
        if (!figure) return [];
        const text = at === null ? '' : formatFigure(values[at], chart.y.unit);
        figure.textContent = text;
        return [`${name} ${text}`];
      });
      return x === undefined ? '' : `${where.textContent}: ${texts.join(', ')}`;
    },
  };
}

/** A piece of the line itself, dashes and all: colour alone tells too few people apart. @param {ChartData['series'][number]} series */
function swatch({ dash, thin }) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  const attributes = { x1: 0, y1: 5, x2: 26, y2: 5, 'stroke-width': thin ? 1.25 : 2 };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  if (dash) line.setAttribute('stroke-dasharray', dash.join(' '));
  svg.append(line);
  return svg;
}
