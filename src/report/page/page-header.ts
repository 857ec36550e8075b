import { markup, type Markup } from './markup.js';

/** The line above everything: whose page this is, and the choice between light and dark. */
export function pageHeader(kind: string): Markup {
  return markup`<header><p>mcp-bench <span>${kind}</span></p><button type="button" id="theme" hidden>Theme: <span>auto</span></button></header>`;
}
