import { markup, type Content, type Markup } from './markup.js';

/** Names and values below one another; those without a value are left out. */
export function factsList(facts: readonly (readonly [string, Content])[]): Markup {
  return markup`<dl class="facts">${facts
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
