import type { Note } from '../../../result/result.js';
import type { Headline } from '../../run/headline.js';
import { markup, type Content, type Markup } from '../markup.js';

const marks = { good: '✓', doubt: '!', bad: '✗', info: '·' };

/** A verdict in a line, in words, a mark and a colour; what there is to say about it below. */
export function verdictBox({ state, word, text }: Headline, more: Content): Markup {
  return markup`<div class="verdict ${state}"><p><strong><span class="mark" aria-hidden="true">${marks[state]}</span> ${word}</strong> ${text}</p>${more}</div>`;
}

/** Notes below one another; nothing where there are none. */
export function noteList(notes: readonly (Note & { state: 'bad' | 'doubt' | 'info' })[]): Content {
  if (notes.length === 0) return null;
  return markup`<ul class="checks">${notes.map(
    ({ state, message }) =>
      markup`<li class="${state}"><span class="mark" aria-hidden="true">${state === 'bad' ? '!' : marks[state]}</span><span>${withFlags(message)}</span></li>`,
  )}</ul>`;
}

/** Options of the command line as code, which does not break after their dashes. */
function withFlags(message: string): Content {
  return message
    .split(/(--[a-z][a-z-]*)/)
    .map((part, at) => (at % 2 === 1 ? markup`<code class="flag">${part}</code>` : part));
}
