import type { JsonValue } from '../scenario/plan.js';
import { cut } from '../text/cut.js';
import { oneLine, printableJson, withoutCommands } from '../text/one-line.js';
import { allMarked } from './probed-tool.js';
import type { ToolSurvey, TriedTool } from './survey-tools.js';
import type { CommandPlan } from '../scenario/plan.js';
import { draftCommand } from './draft-command.js';
import { type DraftUrl, draftUrl } from './draft-url.js';
import { holdsSecret, redact } from '../text/secrets.js';

/** What the file should say besides the calls. */
export interface DraftDetails {
  readonly toolVersion: string;
  /** What was named of the target beside its URL, as a scenario has it. */
  readonly named: Readonly<Record<string, string | undefined>>;
  readonly insecure: boolean;
  /** Names of headers that were sent along; their values do not belong in a file. */
  readonly headers: readonly string[];
  /** Where the file will be; a command that runs elsewhere says so. */
  readonly folder?: string;
}

const objectionToSecret = 'its name or its arguments hold a secret that the server was given';

/** A scenario for a server, ready to run, as YAML: a call per tool that worked, the others beside it as comments. */
export function draftScenario(surveyed: ToolSurvey, details: DraftDetails): string {
  const survey = { ...surveyed, tools: surveyed.tools.map(withoutSecret) };
  const working = survey.tools.filter(({ objection }) => objection === null);
  const load = suggestLoad(working);
  const about = [
    `# Drafted by mcp-bench ${details.toolVersion} from the tools of ${oneLine(survey.server)} (${survey.spoken}).`,
    '# Arguments are made up from the input schemas: put in what your users would ask for.',
    `name: ${text(nameFor(redact(survey.server)))}`,
  ];
  const calls = [
    'sessions: 5',
    'warmup: 1s',
    '# A gentle start. Raise it with --rate, or ask how much it can take: load: { model: closed, inFlight: 4 }',
    `load: { model: rate, perSecond: ${load.perSecond}, arrivals: poisson }`,
    'duration: 20s',
    'calls:',
    ...working.flatMap((tried) => callLines(tried, working)),
    ...(working.length === 0 ? fallbackLines(survey) : []),
    ...leftOutLines(survey),
    'timeouts: { call: 30s }',
    ...limitLines(suggestLimits(working)),
    '  errors: ["rate < 1%"]',
  ];
  // Of the target and the calls, secrets have been taken out already. What may be one in a call is sent as it is, or it would not work.
  return `${[...about.map((line) => withoutCommands(redact(line))), ...(survey.command === undefined ? targetLines(draftUrl(survey.url), details) : commandLines(survey.command, details)), ...calls.map(redactComment)].join('\n')}\n`;
}

function withoutSecret(tried: TriedTool): TriedTool {
  const { tool, objection } = tried;
  if (objection !== null || !holdsSecret(`${text(tool.name)} ${argumentsText(tried)}`)) return tried;
  return { ...tried, objection: objectionToSecret };
}

function redactComment(line: string): string {
  return /^ *#/.test(line) ? withoutCommands(redact(line)) : line;
}

function targetLines(target: DraftUrl, { named, insecure, headers }: DraftDetails): string[] {
  const more = [
    ...Object.entries(named).flatMap(([key, value]) => (value === undefined ? [] : [`  ${key}: ${value}`])),
    ...(insecure ? ['  tls: { verify: false }'] : []),
  ];
  const note =
    headers.length === 0
      ? []
      : [
          `# Sent along when this was drafted, and needed again with --header: ${headers.map(oneLine).join(', ')}`,
        ];
  const variables = Object.keys(target.variables);
  return [
    ...note,
    ...(variables.length === 0
      ? []
      : [`# Secrets of the URL do not belong in a file: set ${variables.join(', ')} in the environment.`]),
    ...(more.length === 0
      ? [`target: ${text(target.url)}`]
      : ['target:', `  url: ${text(target.url)}`, ...more]),
  ];
}

function commandLines({ command, cwd }: CommandPlan, { named, folder }: DraftDetails): string[] {
  const { words, variables } = draftCommand(command);
  const names = Object.keys(variables);
  return [
    ...(names.length === 0
      ? []
      : [`# Secrets of the command do not belong in a file: set ${names.join(', ')} in the environment.`]),
    '# Each session is a process of its own.',
    'target:',
    `  command: [${words.map(text).join(', ')}]`,
    ...(cwd === folder ? [] : [`  cwd: ${text(cwd)}`]),
    ...(named['protocol'] === undefined ? [] : [`  protocol: ${named['protocol']}`]),
  ];
}

function callLines(tried: TriedTool, working: readonly TriedTool[]): string[] {
  const { tool, doubts, echoes } = tried;
  const about = cut(oneLine(tool.description), 100);
  return [
    ...(about === '' ? [] : [`  # ${about}`]),
    ...doubts.map((doubt) => `  # Not sure: ${oneLine(doubt)}`),
    `  - { tool: ${text(tool.name)}, weight: ${weightOf(tried, working)}${argumentsText(tried)}${echoes ? ', expect: echo' : ''} }`,
  ];
}

function leftOutLines({ tools, leftOut, problem }: ToolSurvey): string[] {
  const objected = tools.filter(({ objection }) => objection !== null);
  const lines = [
    ...objected.map(objectedLines),
    ...leftOut.map(({ tool, reason }) => [
      `  # Left out, since ${cut(oneLine(reason), 160)}: ${cut(oneLine(tool), 100)}`,
    ]),
  ];
  return [
    ...lines.slice(0, mostObjected).flat(),
    ...(lines.length > mostObjected ? [`  # … and ${lines.length - mostObjected} more`] : []),
    ...(problem === null ? [] : [`  # There may be more tools: ${cut(oneLine(problem), 160)}`]),
  ];
}

// More than that nobody reads.
const mostObjected = 200;
const longestComment = 1000;

function objectedLines(tried: TriedTool): string[] {
  const call = `{ tool: ${text(tried.tool.name)}${argumentsText(tried)} }`;
  return [
    `  # Left out, since ${cut(oneLine(tried.objection!), 160)}:`,
    `  # - ${call.length > longestComment ? `{ tool: ${text(tried.tool.name)} }` : call}`,
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

// A quarter of what one caller at a time got, at most 100/s: nobody's server is brought down by a first try.
function suggestLoad(working: readonly TriedTool[]): { perSecond: number } {
  const parts = working.map((tried) => ({
    ms: (tried.bestNs ?? 0) / 1e6,
    weight: weightOf(tried, working),
  }));
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  const meanMs = weights === 0 ? 10 : parts.reduce((sum, { ms, weight }) => sum + ms * weight, 0) / weights;
  return { perSecond: Math.max(1, Math.min(100, roundDown(250 / Math.max(meanMs, 0.1)))) };
}

interface SuggestedLimits {
  /** What the tries took: the typical call of the mix, and the slowest tool. */
  readonly typicalMs: number;
  readonly slowestMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

// Limits for a load of a quarter of what the server can do: several times what an idle server took, so that a busy neighbour misses
// none of them. The least are what a busy machine may add to a call by itself.
const p50Factor = 5;
const leastP50Ms = 3;
const p99Factor = 10;
const leastP99Ms = 20;
// Of a mix of equal halves the median may be in either: a little above the middle it is in the slower.
const typicalShare = 0.6;

/** null where no tool was timed. */
function suggestLimits(working: readonly TriedTool[]): SuggestedLimits | null {
  const parts = working
    .filter(({ bestNs }) => bestNs !== null)
    .map((tried) => ({ ms: tried.bestNs! / 1e6, weight: weightOf(tried, working) }))
    .sort((a, b) => a.ms - b.ms);
  if (parts.length === 0) return null;
  let weightLeft = typicalShare * parts.reduce((sum, { weight }) => sum + weight, 0);
  const typicalMs = parts.find(({ weight }) => (weightLeft -= weight) <= 0)!.ms;
  const slowestMs = parts.at(-1)!.ms;
  return {
    typicalMs,
    slowestMs,
    p50Ms: roundUp(Math.max(leastP50Ms, p50Factor * typicalMs)),
    p99Ms: roundUp(Math.max(leastP99Ms, p99Factor * slowestMs)),
  };
}

function limitLines(limits: SuggestedLimits | null): string[] {
  const rule = (p50Ms: number, p99Ms: number): string[] => [
    'thresholds:',
    `  call.response: ["p(50) < ${p50Ms}ms", "p(99) < ${p99Ms}ms"]`,
  ];
  if (limits === null)
    return [
      '# No tool was timed, so these are guesses: put in what your users would wait.',
      ...rule(100, 1000),
    ];
  const { typicalMs, slowestMs, p50Ms, p99Ms } = limits;
  return [
    `# Idle, the server took ${figure(typicalMs)} ms for a typical call and ${figure(slowestMs)} ms for its slowest tool. The limits are ${figure(p50Ms / typicalMs)} ×`,
    `# the first and ${figure(p99Ms / slowestMs)} × the second: they catch a server that is that much slower, or stalls. For smaller changes: mcp-bench compare.`,
    ...rule(p50Ms, p99Ms),
  ];
}

function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 5, 7, 10].find((each) => each * size >= value * (1 - 1e-9)) ?? 10;
  return Number((step * size).toPrecision(2));
}

function figure(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
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
  if (typeof value !== 'object' || value === null) return printableJson(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => flow(item)).join(', ')}]`;
  const members = Object.entries(value as Record<string, JsonValue>);
  return members.length === 0
    ? '{}'
    : `{ ${members.map(([key, item]) => `${text(key)}: ${flow(item)}`).join(', ')} }`;
}

function text(value: string): string {
  const bare =
    /^[A-Za-z_][A-Za-z0-9_-]*$/.test(value) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return bare ? value : printableJson(JSON.stringify(value));
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
