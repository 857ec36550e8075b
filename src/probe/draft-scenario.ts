import { stripVTControlCharacters } from 'node:util';
import type { JsonValue } from '../scenario/plan.js';
import { allMarked } from './probed-tool.js';
import type { ToolSurvey, TriedTool } from './survey-tools.js';

/** What the file should say besides the calls. */
export interface DraftDetails {
  readonly toolVersion: string;
  readonly dialect: string | undefined;
  readonly insecure: boolean;
  /** Names of headers that were sent along; their values do not belong in a file. */
  readonly headers: readonly string[];
}

/** A scenario for a server, ready to run, as YAML: a call per tool that worked, the others beside it as comments. */
export function draftScenario(survey: ToolSurvey, details: DraftDetails): string {
  const working = survey.tools.filter(({ objection }) => objection === null);
  const load = suggestLoad(working);
  const lines = [
    `# Drafted by mcp-bench ${details.toolVersion} from the tools of ${plain(survey.server)} (dialect ${survey.dialect}).`,
    '# Arguments are made up from the input schemas: put in what your users would ask for.',
    `name: ${text(nameFor(survey.server))}`,
    ...targetLines(survey.url, details),
    'sessions: 5',
    'warmup: 1s',
    '# A gentle start. Raise it with --rate, or ask how much it can take: load: { model: closed, inFlight: 4 }',
    `load: { model: rate, perSecond: ${load.perSecond}, arrivals: poisson }`,
    'duration: 20s',
    'calls:',
    ...working.flatMap((tried) => callLines(tried, working)),
    ...(working.length === 0 ? fallbackLines(survey) : []),
    ...survey.tools.filter(({ objection }) => objection !== null).flatMap(objectedLines),
    'timeouts: { call: 30s }',
    '# Well above what an idle server took for them just now: they catch a change for the worse, not a busy minute.',
    'thresholds:',
    `  call.response: ["p(50) < ${load.p50Ms}ms", "p(99) < ${load.p99Ms}ms"]`,
    '  errors: ["rate < 1%"]',
  ];
  return `${lines.join('\n')}\n`;
}

function targetLines(url: string, { dialect, insecure, headers }: DraftDetails): string[] {
  const more = [
    ...(dialect === undefined ? [] : [`  dialect: ${dialect}`]),
    ...(insecure ? ['  tls: { verify: false }'] : []),
  ];
  const note =
    headers.length === 0
      ? []
      : [
          `# Sent along when this was drafted, and needed again with --header: ${headers.map(plain).join(', ')}`,
        ];
  return [
    ...note,
    ...(more.length === 0 ? [`target: ${text(url)}`] : ['target:', `  url: ${text(url)}`, ...more]),
  ];
}

function callLines(tried: TriedTool, working: readonly TriedTool[]): string[] {
  const { tool, doubts, echoes } = tried;
  const about = cut(plain(tool.description), 100);
  return [
    ...(about === '' ? [] : [`  # ${about}`]),
    ...doubts.map((doubt) => `  # Not sure: ${plain(doubt)}`),
    `  - { tool: ${text(tool.name)}, weight: ${weightOf(tried, working)}${argumentsText(tried)}${echoes ? ', expect: echo' : ''} }`,
  ];
}

function objectedLines(tried: TriedTool): string[] {
  return [
    `  # Left out, since ${cut(plain(tried.objection!), 160)}:`,
    `  # - { tool: ${text(tried.tool.name)}${argumentsText(tried)} }`,
  ];
}

// Something must be asked, or there is nothing to measure.
function fallbackLines({ from, dialect, tools }: ToolSurvey): string[] {
  if (from === 'tools/call describe_tools') return ['  - { tool: describe_tools }'];
  const method =
    from === 'tools/list' || from === 'describe_tools'
      ? from
      : dialect === 'pymcp'
        ? 'describe_tools'
        : 'ping';
  const marked = allMarked(tools.map(({ tool }) => tool));
  return [
    '  # No tool could be called, so this asks for something else.',
    ...(marked === null ? [] : [`  # ${marked}`]),
    `  - { method: ${method} }`,
  ];
}

// The cheapest are called most, as is usual, and so that a slow one does not drown them. Below the floor, differences are chance.
function weightOf({ bestNs }: TriedTool, working: readonly TriedTool[]): number {
  const fastestNs = Math.max(floorNs, Math.min(...working.map((each) => each.bestNs ?? Infinity)));
  const ratio = (bestNs ?? fastestNs) / fastestNs;
  return ratio < 3 ? 5 : ratio < 20 ? 2 : 1;
}

const floorNs = 5e6;

interface SuggestedLoad {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

// A quarter of what one caller at a time got, at most 100/s: nobody's server is brought down by a first try.
function suggestLoad(working: readonly TriedTool[]): SuggestedLoad {
  const parts = working.map((tried) => ({
    ms: (tried.bestNs ?? 0) / 1e6,
    weight: weightOf(tried, working),
  }));
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  const meanMs = weights === 0 ? 10 : parts.reduce((sum, { ms, weight }) => sum + ms * weight, 0) / weights;
  const slowestMs = Math.max(0, ...parts.map(({ ms }) => ms));
  return {
    perSecond: Math.max(1, Math.min(100, roundDown(250 / Math.max(meanMs, 0.1)))),
    p50Ms: roundUp(Math.max(100, 10 * slowestMs)),
    p99Ms: roundUp(Math.max(1000, 20 * slowestMs)),
  };
}

function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * size >= value) ?? 10) * size;
}

function roundDown(value: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([5, 2, 1].find((step) => step * size <= value) ?? 1) * size;
}

function argumentsText({ arguments: values }: TriedTool): string {
  return Object.keys(values).length === 0 ? '' : `, arguments: ${flow(values)}`;
}

// JSON is YAML; keys are only rid of quotes that they do not need.
function flow(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => flow(item)).join(', ')}]`;
  const members = Object.entries(value as Record<string, JsonValue>);
  return members.length === 0
    ? '{}'
    : `{ ${members.map(([key, item]) => `${text(key)}: ${flow(item)}`).join(', ')} }`;
}

function text(value: string): string {
  const bare =
    /^[A-Za-z_][A-Za-z0-9_-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return bare ? value : JSON.stringify(value);
}

function nameFor(server: string): string {
  return (
    server
      .toLowerCase()
      .replace(/\s*v?\d[\w.+-]*$/, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'drafted'
  );
}

function cut(value: string, most: number): string {
  return value.length <= most ? value : `${value.slice(0, most - 1).trimEnd()}…`;
}

// What comes from elsewhere stays in its comment.
function plain(value: string): string {
  return stripVTControlCharacters(value)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
}
