import { stringify } from 'yaml';
import type { RunResult } from '../../../result/result.js';
import { transportOf } from '../../../result/transport-of.js';
import {
  formatAmount,
  formatCount,
  formatDuration,
  formatElapsed,
  formatPercent,
  formatRate,
} from '../../../result/units.js';
import { describeLoad } from '../../run/describe-load.js';
import { truncate } from '../../formats/display-width.js';
import { factsList } from '../facts-list.js';
import { markup, type Content } from '../markup.js';
import type { Section } from '../section.js';
import { dataTable, figure, word } from '../table.js';

const longestText = 20_000;
const mostRows = 100;

/** What was asked of the server: in words, then the whole plan. */
export function scenarioSection(result: RunResult): Section {
  const { scenario, seed, scenarioHash } = result;
  const { sessions, timeouts } = scenario;
  return {
    id: 'scenario',
    title: 'Scenario',
    body: markup`${factsList([
      ['sessions', sessionsText(sessions)],
      ['warm-up', scenario.warmupNs > 0 ? warmupText(result) : 'none'],
      ['load', loadList(result)],
      ['POSTs', transportOf(result.target).marks.includes('connect') ? postsText(scenario.posts) : ''],
      [
        'time limits',
        `connect ${formatDuration(timeouts.connectNs)}, handshake ${formatDuration(timeouts.handshakeNs)}, call ${formatDuration(timeouts.callNs)}`,
      ],
      ['seed', String(seed)],
      ['hash', markup`<code>${scenarioHash.slice(0, 16)}</code>`],
    ])}
${callsTable(result)}
<details><summary>The whole plan, as run</summary><div class="scroll" role="region" aria-label="Plan" tabindex="0"><pre>${planText(result)}</pre></div></details>`,
  };
}

function sessionsText(sessions: RunResult['scenario']['sessions']): string {
  return [
    formatCount(sessions.count),
    sessions.openPerSec === null ? 'opened at once' : `opened at ${formatRate(sessions.openPerSec)}/s`,
    ...(sessions.lifetimeCalls === null ? [] : [`${formatAmount(sessions.lifetimeCalls, 'call')} each`]),
    ...(sessions.lifetimeNs === null ? [] : [`living ${formatDuration(sessions.lifetimeNs)} each`]),
    ...(sessions.end === 'abandon' ? ['then abandoned'] : []),
    ...(sessions.idle > 0 ? [`${formatCount(sessions.idle)} of them idle`] : []),
  ].join(', ');
}

function warmupText({ scenario, warmup }: RunResult): string {
  return `${formatElapsed(scenario.warmupNs / 1e6)}, ${formatAmount(warmup.started, 'call')}, in none of the figures`;
}

function loadList({ scenario }: RunResult): Content {
  return markup`<ul>${scenario.phases
    .slice(0, mostRows)
    .map(
      ({ name, durationNs, load }) =>
        markup`<li>${name}: ${describeLoad(load)}${durationNs === null ? '' : `, ${formatElapsed(durationNs / 1e6)}`}</li>`,
    )}</ul>`;
}

function postsText(posts: RunResult['scenario']['posts']): string {
  if (posts.mode === 'serial') return 'serial: one outstanding request per connection';
  return `${posts.mode} over ${formatAmount(posts.connections, 'connection')}`;
}

function callsTable({ scenario }: RunResult): Content {
  const { operations } = scenario;
  if (operations.length === 0) return null;
  const weights = operations.reduce((sum, { weight }) => sum + weight, 0);
  const rows = operations
    .slice(0, mostRows)
    .map(({ name, method, weight, arguments: given }) => [
      { shown: name },
      { shown: method },
      { shown: formatPercent(weight / Math.max(weights, 1e-9)) },
      { shown: markup`<code>${truncate(JSON.stringify(given) ?? '', 300)}</code>` },
    ]);
  return dataTable(
    'Calls of the mix',
    [word('call'), word('method'), figure('share'), word('arguments')],
    [rows],
  );
}

function planText({ scenario }: RunResult): string {
  const text = stringify(scenario, { lineWidth: 0 });
  return text.length <= longestText
    ? text
    : `${text.slice(0, longestText)}\n… and ${formatCount(text.length - longestText)} characters more`;
}
