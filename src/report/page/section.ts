import { markup, type Markup } from './markup.js';
import type { ChartData, HeatMapData } from './page-data.js';

/** A part of a page with a heading of its own, and the data of the charts in it. */
export interface Section {
  id: string;
  title: string;
  body: Markup;
  charts?: ChartData[];
  heatMaps?: HeatMapData[];
}

/** Links to the sections, and the sections. */
export function sectionsMarkup(sections: readonly Section[]): Markup {
  return markup`<nav aria-label="Sections"><ul>${sections.map(
    ({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>
<main>${sections.map(
    ({ id, title, body }) => markup`
<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>`,
  )}
</main>`;
}

/** Where a script draws a chart: a caption, room for the legend, and a plot that the arrow keys read out. */
export function chartFigure(chart: ChartData, caption: string, described: string): Markup {
  return markup`<figure class="chart" id="${chart.id}">
<figcaption>${caption}</figcaption>
<div class="legend" role="group" aria-label="Lines of this chart"></div>
<div class="plot" tabindex="0" role="slider" aria-label="${described}" aria-valuemin="0" aria-valuemax="${Math.max(0, chart.x.values.length - 1)}" aria-valuenow="0"></div>
</figure>`;
}
