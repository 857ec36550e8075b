import { drawChart } from './chart.js';
import { readHeatMap } from './heat-map.js';
import { sortTable } from './sort-table.js';
import { startTheme } from './theme.js';

/** @type {import('../page-data.js').PageData} */
const page = JSON.parse(document.getElementById('data')?.textContent ?? '{}');
startTheme();
page.charts.forEach(drawChart);
page.heatMaps.forEach(readHeatMap);
for (const table of document.querySelectorAll('table[data-sorts]'))
  sortTable(/** @type {HTMLTableElement} */ (table));
