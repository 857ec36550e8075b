import { median } from '../../src/compare/median.js';
import { type MachineInfo, machineLine, show, table } from '../bench/bench-report.js';

/** One server under both clients: calls per second, a value per round. */
export interface SdkLoopRow {
  readonly name: string;
  readonly about: string | null;
  readonly mcpBench: number[];
  readonly sdkLoop: number[];
  /** CPU that the loop itself needed for a call. */
  readonly sdkCpuUs: number[];
  /** Why a value is missing. */
  readonly reasons: string[];
}

/** All servers under both clients. */
export interface SdkLoopReport {
  readonly schema: 'mcp-bench/sdk-loop@1';
  readonly date: string;
  readonly machine: MachineInfo;
  readonly rounds: number;
  readonly sessions: number;
  readonly inFlight: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
  readonly rows: readonly SdkLoopRow[];
}

/** The report as Markdown: those first whom the loop wrongs most. */
export function sdkLoopMarkdown(report: SdkLoopReport): string {
  const rows = report.rows.map((row) => ({ row, share: shareSeen(row) }));
  const both = rows.filter(({ share }) => share !== null).sort((a, b) => a.share! - b.share!);
  const others = rows.filter(({ share }) => share === null);
  const lines = [
    '# What a loop around the SDK client would have said',
    '',
    machineLine(report.date, report.machine),
    '',
    `${report.sessions} sessions × ${report.inFlight} in flight, closed loop, ${report.warmupSeconds} s warm-up and ${report.seconds} s measured, ${report.rounds} round${report.rounds === 1 ? '' : 's'} in a balanced order; the server is started anew for each measurement, and who measures first alternates. Medians; the share is that of the medians. Both clients run on the same machine as the server.`,
    '',
    ...table(
      [
        'server',
        'mcp-bench, calls/s',
        'SDK loop, calls/s',
        'seen by the loop',
        'under-reported by',
        'CPU of the loop a call',
      ],
      both.map(({ row, share }) => [
        row.about === null ? row.name : `${row.name} (${row.about})`,
        spread(row.mcpBench),
        spread(row.sdkLoop),
        `${show(share! * 100)} %`,
        share! < 1 ? `${show(1 / share!)} ×` : 'nothing',
        `${show(median(row.sdkCpuUs))} µs`,
      ]),
    ),
  ];
  const reasons = report.rows.flatMap(({ name, reasons: all }) =>
    all.length === 0 ? [] : [`- ${name}: ${all[0]}${all.length > 1 ? ` (and ${all.length - 1} more)` : ''}`],
  );
  if (others.length > 0)
    lines.push('', `Without both figures: ${others.map(({ row }) => oneSided(row)).join('; ')}.`);
  if (reasons.length > 0) lines.push('', ...reasons.map((line) => line.replaceAll('\n', ' ').slice(0, 400)));
  return `${lines.join('\n')}\n`;
}

/** What share of the calls per second the loop would have shown; null where one of both has no figure. */
export function shareSeen({ mcpBench, sdkLoop }: SdkLoopRow): number | null {
  return mcpBench.length === 0 || sdkLoop.length === 0 ? null : median(sdkLoop) / median(mcpBench);
}

function oneSided({ name, mcpBench, sdkLoop }: SdkLoopRow): string {
  if (mcpBench.length > 0) return `${name} (mcp-bench ${spread(mcpBench)}, the SDK loop none)`;
  return sdkLoop.length > 0 ? `${name} (SDK loop ${spread(sdkLoop)}, mcp-bench none)` : name;
}

function spread(values: readonly number[]): string {
  return `${show(median(values))} (${show(Math.min(...values))} … ${show(Math.max(...values))})`;
}
