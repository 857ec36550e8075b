import os from 'node:os';
import { join } from 'node:path';
import { describeEnvironment } from '../../src/result/environment.js';
import { writeFileWhole } from '../../src/result/write-file.js';
import { type Goal, type RoundFigures, type Row, spreadOf } from './rounds.js';

/** A benchmark's outcome, whole: what the table and the file are made from. */
export interface BenchReport {
  /** Name of the files. */
  readonly name: string;
  readonly title: string;
  readonly date: string;
  readonly machine: MachineInfo;
  readonly seconds: number;
  readonly rounds: number;
  readonly rows: readonly Row[];
  /** Every single value. */
  readonly figures: RoundFigures;
  readonly notes: readonly string[];
}

export interface MachineInfo {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly os: string;
  readonly node: string;
  readonly git: string | null;
  /** Load average of the last minute, at the start: what others were doing. */
  readonly loadBefore: number;
}

/** What this machine is, and how busy it was. */
export function describeMachine(): MachineInfo {
  const {
    cpu,
    cores,
    memoryBytes,
    os: system,
    node,
    git,
  } = describeEnvironment({
    workers: 1,
    pacing: 'timer',
    tags: {},
  });
  return { cpu, cores, memoryBytes, os: system, node, git, loadBefore: os.loadavg()[0]! };
}

/** Prints the table and writes it, with the figures behind it, to `<folder>/<name>.md` and `.json`. */
export function publish(report: BenchReport, folder: string): void {
  const text = markdown(report);
  console.log(`\n${text}`);
  const path = join(folder, report.name);
  writeFileWhole(`${path}.md`, text);
  writeFileWhole(`${path}.json`, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`written: ${path}.md, ${path}.json`);
}

/** The report as Markdown. */
export function markdown(report: BenchReport): string {
  const { machine, rows, figures, notes } = report;
  const lines = [
    `# ${report.title}`,
    '',
    machineLine(report.date, machine),
    '',
    `${report.rounds} alternating rounds of ${report.seconds} s a measurement. A ratio is taken within each round; the median counts where nothing else is said. Where the same program twice (A/A) differs by more than a value from its goal, the goal is neither met nor missed.`,
    '',
    ...table(
      ['what', 'value', 'goal', '', 'every round'],
      rows.flatMap((row) => [
        [
          row.title + (row.note === '' ? '' : ` (${row.note})`),
          withUnit(row.value, row.unit),
          row.goal === null ? '' : goalText(row.goal, row.unit),
          row.met === null ? (row.goal === null ? '' : 'within A/A') : row.met ? 'met' : '**MISSED**',
          row.values.map((value) => show(value)).join(' '),
        ],
        ...aaLine(row),
      ]),
    ),
    '',
    '## Every single value',
    '',
    ...table(
      ['figure', 'by round'],
      Object.entries(figures).map(([name, values]) => [name, values.map((value) => show(value)).join(' ')]),
    ),
  ];
  if (notes.length > 0) lines.push('', ...notes.map((note) => `- ${note}`));
  return `${lines.join('\n')}\n`;
}

/** What the same program came to when it was measured twice in each round: what a ratio of this kind is worth. */
function aaLine({ aa }: Row): string[][] {
  if (aa === null) return [];
  const spread = `within ${show((spreadOf(aa) - 1) * 100)} %`;
  return [['↳ A/A: the same program twice', spread, '', '', aa.map((value) => show(value)).join(' ')]];
}

/** When and on what it was measured. */
export function machineLine(date: string, machine: MachineInfo): string {
  const memory = `${Math.round(machine.memoryBytes / 2 ** 30)} GB`;
  const parts = [
    date,
    `${machine.cpu}, ${machine.cores} cores, ${memory}`,
    machine.os,
    `Node ${machine.node}`,
  ];
  if (machine.git !== null) parts.push(machine.git);
  return [...parts, `load before the start ${machine.loadBefore.toFixed(2)}`].join(' · ');
}

/** The lines of a Markdown table whose columns are also aligned for a reader of the text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

function goalText({ is, limit }: Goal, unit: string): string {
  const sign = is === 'exactly' ? '=' : is === 'at least' ? '≥' : '≤';
  return `${sign} ${withUnit(limit, unit)}`;
}

function withUnit(value: number, unit: string): string {
  return unit === '' ? show(value) : `${show(value)} ${unit}`;
}

/** Three or more significant digits, never an exponent. */
export function show(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
