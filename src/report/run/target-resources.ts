import type { RunResult } from '../../result/result.js';
import { oneLine } from '../../text/one-line.js';
import { formatAmount, formatBytes, formatDuration } from '../../result/units.js';

/** What the server's processes used, in a few items; none where it is not known. */
export function targetResourceTexts({ target, totals, generator }: RunResult): string[] {
  const { resources } = target;
  if (resources === undefined || resources === null) return [];
  const { cpuMs, peakBytes, processes, pids, found, sessions = 0, startCpuMs, ended = false } = resources;
  const name = oneLine(resources.name);
  const { ok } = totals.outcomes;
  const share = generator.targetCpuShare;
  const whose = {
    started: '',
    named: `, ${name} by --target-pid ${pids.join(', ')}`,
    port: `, ${name} (pid ${pids.slice(0, 3).join(', ')}) listened on its port`,
  }[found];
  return [
    ...(share === null ? [] : [`${share.toFixed(2)} cores`]),
    ...(ended
      ? [`${formatDuration(cpuMs * 1e6)} of CPU until it ended`]
      : ok === 0
        ? []
        : [`${formatDuration((cpuMs * 1e9) / ok)} of CPU for 1,000 calls`]),
    ...(startCpuMs === undefined || sessions === 0
      ? []
      : [`${formatDuration((startCpuMs * 1e6) / sessions)} of CPU to start a session`]),
    ...(sessions > 1 ? [`${formatBytes(peakBytes / sessions)} of memory a session`] : []),
    `${formatBytes(peakBytes)} ${sessions > 1 ? 'in all' : 'of memory'}${processes > 1 ? ` in ${formatAmount(processes, 'process', 'processes')}` : ''}${whose}`,
  ];
}
