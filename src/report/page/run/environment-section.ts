import { availabilityText } from '../../run/availability-text.js';
import { burstText } from '../../run/burst-text.js';
import type { RunResult } from '../../../result/result.js';
import { formatBytes, formatCount, formatDuration, formatPercent } from '../../../result/units.js';
import { targetAddress } from '../../../result/target-address.js';
import { speechOf, transportOf } from '../../../result/transport-of.js';
import { sessionsText } from '../../run/sessions-text.js';
import { factsList } from '../facts-list.js';
import { machineFacts } from '../machine-facts.js';
import { markup } from '../markup.js';
import { targetResourceTexts } from '../../run/target-resources.js';
import type { Section } from '../section.js';

/** Where the figures come from: target, machine and generator. */
export function environmentSection(result: RunResult): Section {
  const { target, environment, tool, sessions, totals } = result;
  return {
    id: 'environment',
    title: 'Environment',
    body: markup`<div class="columns">
<div><h3>Target</h3>
${factsList([
  ['URL', targetAddress(target)],
  ['server', target.server ? `${target.server.name} ${target.server.version}` : 'unknown'],
  ['started by', target.builtIn ? 'this run: the built-in mock' : ''],
  [
    'transport',
    `${transportOf(target).title}, ${transportOf(target).hasDialects ? 'dialect ' : ''}${speechOf(target)}`,
  ],
  ['protocol', target.protocolVersion ?? ''],
  ['availability', availabilityText(totals.availability) ?? ''],
  ['sessions', sessionsText(sessions)],
  ['traffic', `${formatBytes(totals.bytesIn)} in, ${formatBytes(totals.bytesOut)} out`],
])}</div>
<div><h3>Machine</h3>
${factsList([
  ['host', environment.hostname],
  ...machineFacts(environment, tool.version),
  ...Object.entries(environment.tags).map(([name, value]): [string, string] => [name, value]),
])}</div>
<div><h3>Generator</h3>
${factsList(generatorFacts(result))}</div>
</div>`,
  };
}

function generatorFacts(result: RunResult): [string, string][] {
  const { environment, generator, totals } = result;
  const share = (value: number | null): string => (value === null ? '' : formatPercent(value));
  const longest = (ms: readonly number[]): string => formatDuration(Math.max(0, ...ms) * 1e6);
  return [
    ['workers', `${formatCount(environment.workers)}, pacing by ${environment.pacing}`],
    ['busy', generator.loopUtilisation.map(formatPercent).join(', ')],
    ['longest turn', longest(generator.longestTurnMs)],
    ['longest GC pause', longest(generator.longestGcMs)],
    ['loop delay p99', longest(generator.loopDelayP99Ms)],
    ['memory', formatBytes(generator.maxRssBytes)],
    ['bursts', burstText(result) ?? ''],
    [
      'CPU of the target',
      generator.targetCpuShare === null ? '' : `${share(generator.targetCpuShare)} of a core`,
    ],
    ['server used', targetResourceTexts(result).join(', ')],
    [
      'CPU taken by others',
      generator.othersCpuShare === null ? '' : `${share(generator.othersCpuShare)} of the machine`,
    ],
    [
      'CPU stolen by the hypervisor',
      generator.stolenCpuShare ? `${share(generator.stolenCpuShare)} of the machine` : '',
    ],
    ['conservation', totals.conserved ? 'every call has exactly one outcome' : 'VIOLATED: calls are missing'],
  ];
}
