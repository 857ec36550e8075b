import { nowNs } from '../clock.js';
import { ExitCode, Failure } from '../failure.js';
import type { TargetPlan } from '../scenario/plan.js';
import { findDepartures } from './departures.js';
import { detectStreamable, type StreamableServer } from './detect-streamable.js';
import { matchDialect } from './dialect-match.js';
import { type Exchange, type ProbeClient, rpcFailure, withoutContents } from './exchange.js';
import { listTools, type ToolList } from './list-tools.js';
import { tryRobustness } from './robustness.js';
import { allMarked } from './probed-tool.js';
import type { ProbeReport } from './probe-report.js';
import { ProbeSession } from './probe-session.js';
import { keepAliveOf, postLooks, streamLooks } from './stream-facts.js';
import { accessTarget, type TargetAccess } from '../detect/target-access.js';
import { type CallWish, timeCalls } from './time-calls.js';
import { weighJson } from './weigh-json.js';
import { readServerInfo, shortText } from '../mcp/server-info.js';
import { cut } from '../text/cut.js';
import { printableProbe } from './printable-probe.js';

export interface ProbeOptions {
  /** For the handshake and for every single answer. */
  readonly timeoutMs: number;
  /** How long the stream is listened to for keep-alives, from its opening. */
  readonly listenMs: number;
  readonly calls: CallWish;
}

// Wrong questions may stay without an answer, and none is worth a long wait.
const robustnessMs = 3000;
const detectionMs = 3000;
// Far more than any server has to say of itself.
const ofCapabilities = { values: 2000, depth: 32, characters: 100_000 };
const longestInstructions = 20_000;
const firstIds = { session: 1, beside: 1_000_000_001 };

/** Finds out what a server is like; throws a Failure of one line where no MCP server is found. */
export async function probe(target: TargetPlan, options: ProbeOptions): Promise<ProbeReport> {
  const access = await accessTarget(target, options.timeoutMs);
  const detected = await detectStreamable(access, Math.min(detectionMs, options.timeoutMs));
  if (detected.server !== null)
    return printableProbe(await probeStreamable(access, detected.server, options));
  const session = await openSession(access, options, detected.seen);
  try {
    return printableProbe(await probeSse(access, session, options));
  } finally {
    session.close();
  }
}

/** Opens one HTTP+SSE session with a target; a Failure says what was tried where there is none. */
export async function openSession(
  access: TargetAccess,
  { timeoutMs }: Pick<ProbeOptions, 'timeoutMs'>,
  alsoTried: readonly string[] = [],
): Promise<ProbeSession> {
  try {
    return await ProbeSession.open(access, timeoutMs, firstIds.session);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const tried = alsoTried.length > 0 ? ` (${alsoTried.join(', ')})` : '';
    throw new Failure(
      `no MCP server at ${access.target.url}: ${error.message}${tried}${hint(error.message)}`,
      ExitCode.runFailed,
    );
  }
}

async function probeSse(
  access: TargetAccess,
  session: ProbeSession,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const result = session.initialize!.response!['result'] as Record<string, unknown>;
  const notes: string[] = [];
  const asked: Exchange[] = [];
  const tools = await listTools(remembering(session, asked), result);
  const beside = await openBeside(access, options, notes);
  try {
    const { calls, exchanges } = await timeCalls(session, tools.tools, options.calls);
    const overheard = beside?.strays.foreign ?? 0;
    const robustness =
      beside === null ? null : await tryRobustness(beside, Math.min(robustnessMs, options.timeoutMs));
    await listen(session, options.listenMs);
    const listenedMs = (nowNs() - session.stream.openedNs) / 1e6;
    if (!session.isOpen)
      notes.push(`the stream did not last: ${session.stream.closed?.message ?? 'it ended'}`);
    const all = [session.initialize!, ...asked, ...exchanges];
    return {
      ...identity(access, result, session.dialect.protocolVersion),
      transport: 'sse',
      canRun: true,
      dialect: matchDialect(session, all),
      tools,
      // The first one of all pays for what the second finds ready, on both sides.
      handshake: beside?.handshake ?? session.handshake,
      calls,
      stream: streamLooks(session),
      posts: postLooks(session, [...asked, ...exchanges]),
      keepAlive: keepAliveOf(session, listenedMs),
      departures: findDepartures({ session, beside, overheard, exchanges: all, tools, robustness }),
      notes: [...notes, ...notesOn(session), ...markedNote(tools.tools, options)],
    };
  } finally {
    beside?.close();
  }
}

async function probeStreamable(
  access: TargetAccess,
  { client, era, hello }: StreamableServer,
  options: ProbeOptions,
): Promise<ProbeReport> {
  try {
    const result = (hello.response?.['result'] ?? {}) as Record<string, unknown>;
    if (era === 'sessions') await client.notify('notifications/initialized');
    const tools = await listTools(client, result);
    const { calls } = await timeCalls(client, tools.tools, options.calls);
    const refused = rpcFailure(hello);
    return {
      ...identity(access, result, client.protocolVersion),
      transport: 'streamable-http',
      canRun: false,
      dialect: null,
      tools,
      handshake: null,
      calls,
      stream: null,
      posts: null,
      keepAlive: null,
      departures: [],
      notes: [
        `speaks Streamable HTTP ${client.protocolVersion}${era === 'stateless' ? ' (stateless)' : ''}, which \`run\` does not speak yet`,
        ...(refused === null ? [] : [`server/discover was answered with ${refused}`]),
        ...(era === 'sessions' && client.sessionId === null ? ['gives out no session id'] : []),
      ],
    };
  } finally {
    await client.close();
  }
}

function identity(
  access: TargetAccess,
  result: Record<string, unknown>,
  asked: string,
): Pick<
  ProbeReport,
  'schema' | 'url' | 'at' | 'server' | 'protocolVersion' | 'capabilities' | 'instructions'
> {
  const { protocolVersion, capabilities, instructions } = result;
  return {
    schema: 'mcp-bench/probe@1',
    url: access.target.url,
    at: new Date().toISOString(),
    server: readServerInfo(result),
    protocolVersion: { asked, answered: shortText(protocolVersion) },
    capabilities: weighJson(capabilities, ofCapabilities).excess === null ? (capabilities ?? null) : null,
    instructions: typeof instructions === 'string' ? cut(instructions, longestInstructions) : null,
  };
}

// A second session hears whether responses go to the wrong stream, and is the one on which robustness is tried.
async function openBeside(
  access: TargetAccess,
  { timeoutMs }: ProbeOptions,
  notes: string[],
): Promise<ProbeSession | null> {
  try {
    return await ProbeSession.open(access, Math.min(robustnessMs, timeoutMs), firstIds.beside);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notes.push(`a second session could not be opened: ${error.message}`);
    return null;
  }
}

async function listen(session: ProbeSession, listenMs: number): Promise<void> {
  const leftMs = listenMs - (nowNs() - session.stream.openedNs) / 1e6;
  if (leftMs > 0 && session.isOpen) await new Promise((resolve) => setTimeout(resolve, leftMs));
}

function remembering(client: ProbeClient, into: Exchange[]): ProbeClient {
  return {
    argumentsKey: client.argumentsKey,
    request: async (method, params) => {
      const exchange = await client.request(method, params);
      into.push(withoutContents(exchange));
      return exchange;
    },
  };
}

function markedNote(tools: ToolList['tools'], { calls }: ProbeOptions): string[] {
  const marked = calls.tool === undefined && calls.allowDestructive !== true ? allMarked(tools) : null;
  return marked === null ? [] : [marked];
}

function notesOn({ strays }: ProbeSession): string[] {
  const early = strays.notifications.filter(({ beforeInitialize }) => beforeInitialize);
  const later = strays.notifications.filter(
    ({ beforeInitialize, method }) => !beforeInitialize && method !== 'ping',
  );
  const asked = strays.serverRequests.filter(({ method }) => method !== 'ping');
  const names = (list: readonly { method: string }[]): string =>
    [...new Set(list.map(({ method }) => method))].join(', ');
  return [
    ...(early.length > 0 ? [`sends ${names(early)} before initialize is answered`] : []),
    ...(later.length > 0 ? [`sends notifications: ${names(later)}`] : []),
    ...(asked.length > 0 ? [`asks the client: ${names(asked)}`] : []),
  ];
}

function hint(message: string): string {
  if (/answered 404/.test(message)) return '. Is the path right? Many servers use /sse or /mcp';
  if (/answered 40[13]/.test(message)) return '. Does it need a token? --header "Authorization: Bearer …"';
  if (/wrong version number|packet length too long/.test(message)) return '. Is it http, not https?';
  if (/self.signed|unable to verify|local issuer/i.test(message))
    return '. --insecure does not check its certificate';
  return '';
}
