import { nowNs } from '../clock.js';
import { Failure } from '../failure.js';
import type { TargetPlan } from '../scenario/plan.js';
import { findDepartures } from './departures.js';
import type { ChannelClient } from './channel-client.js';
import { helloOf, idsApart, openTarget } from './open-target.js';
import { matchDialect } from './dialect-match.js';
import { type Exchange, type ProbeClient, rpcFailure, withoutContents } from './exchange.js';
import { listTools, type ToolList } from './list-tools.js';
import { tryRobustness } from './robustness.js';
import { allMarked } from './probed-tool.js';
import type { ProbeReport } from './probe-report.js';
import { ProbeSession } from './probe-session.js';
import { keepAliveOf, postLooks, streamLooks } from './stream-facts.js';
import type { Spoken } from '../detect/spoken.js';
import type { TargetAccess } from '../detect/target-access.js';
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
// Far more than any server has to say of itself.
const ofCapabilities = { values: 2000, depth: 32, characters: 100_000 };
const longestInstructions = 20_000;

/** Finds out what a server is like; throws a Failure of one line where no MCP server is found. */
export async function probe(target: TargetPlan, options: ProbeOptions): Promise<ProbeReport> {
  const { access, spoken, client } = await openTarget(target, options.timeoutMs);
  try {
    return printableProbe(
      client instanceof ProbeSession
        ? await probeSse(access!, client, options)
        : await probeChannel(target, spoken, client, options),
    );
  } finally {
    await client.close();
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
      ...identity(access.target.url, result, session.dialect.protocolVersion),
      transport: 'sse',
      era: 'sessions',
      replies: null,
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

async function probeChannel(
  { command }: TargetPlan,
  spoken: Spoken,
  client: ChannelClient,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const result = helloOf(client);
  const tools = await listTools(client, result);
  const { calls } = await timeCalls(client, tools.tools, options.calls);
  const refused = rpcFailure(client.hello!);
  const { protocolVersion: asked } = spoken;
  const lost = client.loss === null ? [] : [`the session did not last: ${client.loss}`];
  // How a session ends is known when it has.
  await client.close();
  return {
    ...identity(spoken.url, result, asked),
    ...(command === undefined ? {} : { command: command.command }),
    ...(spoken.era === 'stateless' ? { protocolVersion: { asked, answered: asked } } : {}),
    transport: spoken.transport,
    era: spoken.era,
    dialect: null,
    tools,
    handshake: client.handshake,
    calls,
    stream: null,
    posts: null,
    replies: spoken.transport === 'stdio' ? null : repliesOf(client),
    keepAlive: null,
    departures: [],
    notes: [
      ...lost,
      ...pipeNotes(client),
      ...(refused === null ? [] : [`server/discover was answered with ${refused}`]),
      ...(client.told.size === 0 ? [] : [`sends notifications: ${[...client.told].join(', ')}`]),
      ...(client.asked.size === 0 ? [] : [`asks the client: ${[...client.asked].join(', ')}`]),
      ...markedNote(tools.tools, options),
    ],
  };
}

function pipeNotes({ traffic: { pipes } }: ChannelClient): string[] {
  const { otherLines, otherLine, survivedEof, killed, leftOthers } = pipes;
  return [
    ...(otherLines === 0
      ? []
      : [
          `writes to standard output what is no message (${otherLines} ${otherLines === 1 ? 'line' : 'lines'}, such as “${otherLine}”)`,
        ]),
    ...(survivedEof === 0
      ? []
      : [`goes on after the end of its input: ${killed === 0 ? 'SIGTERM' : 'SIGKILL'} ended it`]),
    ...(leftOthers === 0 ? [] : ['leaves other processes behind when it ends']),
  ];
}

function repliesOf({ bodies, traffic }: ChannelClient): ProbeReport['replies'] {
  const { deleted, deleteRefused, left, priming } = traffic.replies;
  const ended = deleted > 0 ? 'deleted' : deleteRefused > 0 ? 'refused' : 'unanswered';
  return { ...bodies, priming, session: deleted + deleteRefused + left === 0 ? null : ended };
}

function identity(
  url: string,
  result: Record<string, unknown>,
  asked: string,
): Pick<
  ProbeReport,
  'schema' | 'url' | 'at' | 'server' | 'protocolVersion' | 'capabilities' | 'instructions'
> {
  const { protocolVersion, capabilities, instructions } = result;
  return {
    schema: 'mcp-bench/probe@1',
    url,
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
    return await ProbeSession.open(access, Math.min(robustnessMs, timeoutMs), 1 + idsApart);
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
