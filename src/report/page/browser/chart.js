import { formatPlace, formatTick, formatTime } from './format.js';
import { createLegend } from './legend.js';
import { logTicks, percentileTicks, yLimits } from './scales.js';
import { colour, onThemeChange } from './theme.js';

/** @typedef {import('../page-data.js').ChartData} ChartData */

const gutterPx = 62;
const printedPx = 700;
/** @type {{ plot: uPlot, group: string | null }[]} */
const drawn = [];

/** Draws a line chart into its figure: it follows the width, the theme, the mouse and the keys. @param {ChartData} chart */
export function drawChart(chart) {
  const figure = document.getElementById(chart.id);
  const place = /** @type {HTMLElement | null} */ (figure?.querySelector('.plot'));
  const legendPlace = /** @type {HTMLElement | null} */ (figure?.querySelector('.legend'));
  if (!place || !legendPlace) return;
  const legend = createLegend(legendPlace, chart, (line, shown) => plot.setSeries(line + 1, { show: shown }));
  const showCursor = () => {
    const at = plot.cursor.idx ?? null;
    const text = legend.show(at);
    place.setAttribute('aria-valuenow', String(at ?? 0));
    place.setAttribute('aria-valuetext', text || 'no place chosen');
  };
  const data = /** @type {uPlot.AlignedData} */ ([
    chart.x.values,
    ...chart.series.map(({ values }) => values),
  ]);
  const plot = new uPlot(optionsFor(chart, place.clientWidth, showCursor), data, place);
  drawn.push({ plot, group: chart.group });
  legend.show(null);
  readByKeys(place, plot, chart);
  resize(place, plot, chart.heightPx);
  onThemeChange(() => plot.redraw(false));
}

/** @param {ChartData} chart @param {number} width @param {() => void} onCursor @returns {uPlot.Options} */
function optionsFor(chart, width, onCursor) {
  const { values } = chart.x;
  const percentile = chart.x.unit === 'percentile';
  const from = percentile ? 1 : 0;
  const [first, last] = [values[0] ?? from, values.at(-1) ?? 1];
  const to = Math.max(last, ...chart.bands.map((band) => band.to), from + 1e-3);
  return {
    width: Math.max(200, width),
    height: chart.heightPx,
    padding: [10, 14, chart.x.labelled ? 0 : 6, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: chart.group !== null, y: false },
      points: {
        size: (_, at) => (chart.series[at - 1]?.partOf === undefined ? 7 : 0),
        width: (_, at) => (chart.series[at - 1]?.partOf === undefined ? 2 : 0),
        stroke: (_, at) => colour(`c${chart.series[at - 1]?.colour}`),
        fill: () => colour('page'),
      },
      ...(chart.group === null ? {} : { sync: { key: chart.group, setSeries: false } }),
    },
    scales: {
      x: {
        time: false,
        ...(percentile ? { distr: 3, log: 10 } : {}),
        // Called with the first and the last value for the whole, and with what was selected for a part.
        range: (_, min, max) => (min <= first && max >= last ? [from, to] : [min, max]),
      },
      y: {
        ...(chart.y.log ? { distr: 3, log: 10 } : {}),
        range: (_, min, max) => yLimits(chart.y, min, max),
      },
    },
    axes: [xAxis(chart, to), yAxis(chart)],
    series: [{}, ...chart.series.map(lineOf)],
    hooks: {
      drawClear: [(plot) => drawBands(plot, chart)],
      drawAxes: [(plot) => drawBandLabels(plot, chart)],
      setCursor: [onCursor],
    },
  };
}

/** @param {ChartData['series'][number]} series @returns {uPlot.Series} */
function lineOf({ name, colour: number, dash, fill, thin, partOf }) {
  return {
    label: name,
    width: thin ? 1.25 : 2,
    ...(partOf === undefined ? {} : { alpha: 0.35 }),
    stroke: () => colour(`c${number}`),
    ...(dash ? { dash } : {}),
    ...(fill ? { fill: () => colour(`c${number}`).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.12)') } : {}),
    points: { size: 4, space: 24, fill: () => colour(`c${number}`), width: 0 },
  };
}

/** @param {ChartData} chart @param {number} to @returns {uPlot.Axis} */
function xAxis(chart, to) {
  const percentile = chart.x.unit === 'percentile';
  return {
    ...axisStyle(),
    size: chart.x.labelled ? 30 : 4,
    space: 64,
    ...(percentile
      ? {
          splits: (plot) => percentileTicks(to, plot.bbox.width / uPlot.pxRatio),
          filter: (_, splits) => splits,
        }
      : { incrs: timeSteps }),
    values: (_, splits) =>
      splits.map((split) => {
        if (!chart.x.labelled) return '';
        return percentile ? `${formatPlace(split, 'percentile').slice(1)} %` : formatTime(split);
      }),
  };
}

const timeSteps = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400,
];

/** @param {ChartData} chart @returns {uPlot.Axis} */
function yAxis(chart) {
  return {
    ...axisStyle(),
    size: gutterPx,
    space: 28,
    ...(chart.y.unit === 'count'
      ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5] }
      : {}),
    ...(chart.y.log
      ? {
          splits: (
            /** @type {uPlot} */ plot,
            /** @type {number} */ _,
            /** @type {number} */ min,
            /** @type {number} */ max,
          ) => logTicks(min, max, plot.bbox.height / uPlot.pxRatio),
          filter: (/** @type {uPlot} */ _, /** @type {number[]} */ splits) => splits,
        }
      : {}),
    values: (_, splits) => splits.map((split) => formatTick(split, chart.y.unit)),
  };
}

function axisStyle() {
  return {
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
    stroke: () => colour('faint'),
    grid: {
      stroke: () => colour('line'),
      width: 1,
      filter: (/** @type {uPlot} */ _, /** @type {number[]} */ splits) => splits,
    },
    ticks: { show: false },
    border: { show: false },
    gap: 6,
  };
}

/** @param {uPlot} plot @param {ChartData} chart */
function drawBands(plot, chart) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { from, to, shaded } of chart.bands) {
    const left = plot.valToPos(from, 'x', true);
    if (shaded) {
      ctx.fillStyle = colour('soft');
      ctx.fillRect(left, bbox.top, plot.valToPos(to, 'x', true) - left, bbox.height);
    }
    if (from <= (chart.x.unit === 'seconds' ? 0 : 1)) continue;
    ctx.fillStyle = colour('edge');
    ctx.fillRect(Math.round(left), bbox.top, Math.ceil(uPlot.pxRatio), bbox.height);
  }
  ctx.restore();
}

/** @param {uPlot} plot @param {ChartData} chart */
function drawBandLabels(plot, chart) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${11 * uPlot.pxRatio}px ${getComputedStyle(document.body).fontFamily}`;
  ctx.fillStyle = colour('faint');
  // Where the lines are not: they rise to the right on an axis of percentiles.
  const low = chart.x.unit === 'percentile';
  ctx.textBaseline = low ? 'bottom' : 'top';
  ctx.textAlign = 'left';
  for (const { from, to, label } of chart.bands) {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true)) + 6 * uPlot.pxRatio;
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true));
    // A name that does not fit says more elsewhere than cut off here.
    if (label && ctx.measureText(label).width <= right - left)
      ctx.fillText(label, left, bbox.top + (low ? bbox.height - 4 * uPlot.pxRatio : 4 * uPlot.pxRatio));
  }
  ctx.restore();
}

/** Arrow keys move the cursor, for those who use no mouse. @param {HTMLElement} place @param {uPlot} plot @param {ChartData} chart */
function readByKeys(place, plot, chart) {
  const last = chart.x.values.length - 1;
  /** @type {Record<string, (at: number) => number>} */
  const moves = {
    ArrowRight: (at) => at + 1,
    ArrowUp: (at) => at + 1,
    ArrowLeft: (at) => at - 1,
    ArrowDown: (at) => at - 1,
    PageUp: (at) => at + 10,
    PageDown: (at) => at - 10,
    Home: () => 0,
    End: () => last,
  };
  /** @param {number | null} at */
  const moveTo = (at) => {
    for (const other of drawn) {
      if (other.plot !== plot && (chart.group === null || other.group !== chart.group)) continue;
      const left = at === null ? -10 : other.plot.valToPos(chart.x.values[at] ?? 0, 'x');
      other.plot.setCursor({ left, top: at === null ? -10 : 10 });
    }
  };
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return moveTo(null);
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = plot.cursor.idx;
    moveTo(
      Math.max(
        0,
        Math.min(last, at === null || at === undefined ? (event.key === 'End' ? last : 0) : move(at)),
      ),
    );
  });
  place.addEventListener('blur', () => moveTo(null));
}

/** Follows the width of the page, and takes that of paper before printing. @param {HTMLElement} place @param {uPlot} plot @param {number} height */
function resize(place, plot, height) {
  /** @param {number} width */
  const to = (width) => {
    if (width > 0 && width !== plot.width) plot.setSize({ width, height });
  };
  new ResizeObserver(() => to(place.clientWidth)).observe(place);
  addEventListener('beforeprint', () => to(Math.min(place.clientWidth, printedPx)));
  addEventListener('afterprint', () => to(place.clientWidth));
}
