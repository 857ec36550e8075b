import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** In the order in which they need each other; what they import from one another is known once they stand in one scope. */
const scripts = [
  'format.js',
  'theme.js',
  'scales.js',
  'legend.js',
  'chart.js',
  'heat-map.js',
  'sort-table.js',
  'main.js',
];

export interface PageAssets {
  style: string;
  script: string;
  plotScript: string;
  /** uPlot's licence, which every copy of it has to carry. */
  plotLicence: string;
}

let assets: PageAssets | undefined;

/** The style sheet and the scripts that every page carries within itself, read once. */
export function pageAssets(): PageAssets {
  if (assets !== undefined) return assets;
  // Beside this file both in src/ and in dist/, where the build copies them.
  const own = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
  const require = createRequire(import.meta.url);
  const plot = (path: string): string => readFileSync(require.resolve(`uplot/${path}`), 'utf8');
  assets = {
    style: `${plot('dist/uPlot.min.css')}\n${own('report.css')}`,
    script: `(() => {\n'use strict';\n${scripts.map((name) => withoutModules(own(name))).join('\n')}\n})();`,
    plotScript: plot('dist/uPlot.iife.min.js'),
    plotLicence: plot('LICENSE').trim(),
  };
  return assets;
}

function withoutModules(source: string): string {
  return source
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export (?=function |const |class )/gm, '')
    .replace(/^\s*(\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/.*)\n/gm, '');
}
