import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ProcessTree } from '../../src/machine/process-tree.js';
import { writeFileWhole } from '../../src/result/write-file.js';
import { type MockProcess, startMockProcess } from '../../src/target/built-in-mock.js';
import { parseMockLog } from '../accuracy/logged-calls.js';
import { exactPercentile, servedNs } from '../accuracy/truth.js';
import { describeMachine } from '../bench/bench-report.js';
import { readCounts, resetCounts } from '../bench/mock-under-test.js';
import type { FleetCommand } from '../fleet/fleet.mjs';
import { flatOutLoad, latencyLoad, type PeerLoad, stallLoad } from './peer-loads.js';
import type {
  FlatOut,
  HttpTransport,
  KnownLatency,
  KnownStall,
  PeerFigures,
  PeersRecord,
} from './peer-figures.js';
import { peersMarkdown } from './peers-report.js';
import { replaceSection } from './replace-section.js';
import { type ClientDone, runClient } from './run-client.js';

// A program: every client over every transport that it knows against our mock, in rounds; then what each reports of a known latency and of a
// known stall. What was measured before and is not measured now stays in the record.

interface Peer extends Omit<FleetCommand, 'url'> {
  readonly name: string;
  readonly about: string;
  readonly transports: readonly HttpTransport[];
  readonly paces: boolean;
  readonly postsOnly: readonly HttpTransport[];
  readonly reason?: string;
}

interface Entry {
  readonly peer: Peer;
  readonly transport: HttpTransport;
  readonly postsOnly: boolean;
  readonly flatOut: FlatOut[];
  latency: KnownLatency | null;
  stall: KnownStall | null;
  reason: string | null;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, out: { type: 'string' }, docs: { type: 'string' } },
});
const [file, rounds, out, docs] = [positionals[0]!, Number(options.rounds), options.out!, options.docs!];
const peers = JSON.parse(readFileSync(file, 'utf8')) as Peer[];
const entries = peers
  .filter(({ reason }) => reason === undefined)
  .flatMap((peer) => peer.transports.map((transport) => entryOf(peer, transport)));
const machine = describeMachine();
const date = new Date().toISOString();
await measureFlatOut();
for (const entry of entries.filter(({ postsOnly }) => !postsOnly)) {
  await attempt(entry, async () => void (entry.latency = await measureLatency(entry)));
  await attempt(entry, async () => void (entry.stall = await measureStall(entry)));
}
publish();

function entryOf(peer: Peer, transport: HttpTransport): Entry {
  const postsOnly = peer.postsOnly.includes(transport);
  return { peer, transport, postsOnly, flatOut: [], latency: null, stall: null, reason: null };
}

async function measureFlatOut(): Promise<void> {
  if (entries.length === 0) return;
  const mock = await startMockProcess();
  try {
    for (let round = 0; round < rounds; round++)
      for (const entry of round % 2 === 0 ? entries : entries.toReversed())
        await attempt(entry, async () => {
          await resetCounts(mock);
          const { done, cpuMs, residentBytes } = await run(entry, mock, flatOutLoad);
          const { calls } = await readCounts(mock);
          if (!entry.postsOnly && calls.received < done.calls)
            throw new Error(`it reported ${done.calls} calls, the mock received ${calls.received}`);
          const callsPerSec = done.calls / done.seconds;
          entry.flatOut.push({ callsPerSec, cpuUs: (cpuMs * 1000) / done.calls, residentBytes });
          say(entry, `${Math.round(callsPerSec)} calls/s`);
        });
  } finally {
    await mock.stop();
  }
}

async function measureLatency(entry: Entry): Promise<KnownLatency> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-peers-'));
  const log = join(folder, 'calls.jsonl');
  try {
    const { done } = await withMock(['--latency', `${latencyLoad.latencyMs}ms`, '--log', log], (mock) =>
      run(entry, mock, latencyLoad),
    );
    say(entry, `${latencyLoad.latencyMs} ms are ${done.p50Ms} and ${done.p99Ms} ms`);
    const served = servedNs(parseMockLog(readFileSync(log, 'utf8')).calls);
    return {
      p50Ms: done.p50Ms,
      p99Ms: done.p99Ms,
      trueP50Ms: exactPercentile(served, 50) / 1e6,
      trueP99Ms: exactPercentile(served, 99) / 1e6,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureStall(entry: Entry): Promise<KnownStall> {
  const { done } = await withMock(['--freeze', stallLoad.freeze], (mock) => run(entry, mock, stallLoad));
  say(entry, `a stall is ${done.p99Ms} ms in ${done.calls} calls`);
  const { calls, p50Ms, p99Ms, maxMs } = done;
  return { calls, p50Ms, p99Ms, maxMs, notStarted: done.notStarted ?? null };
}

async function withMock<T>(args: readonly string[], use: (mock: MockProcess) => Promise<T>): Promise<T> {
  const mock = await startMockProcess(args);
  try {
    return await use(mock);
  } finally {
    await mock.stop();
  }
}

interface Outcome {
  readonly done: ClientDone;
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Runs a client once; CPU and memory are those of its measured time. Throws where a call failed. */
async function run({ peer, transport }: Entry, mock: MockProcess, load: PeerLoad): Promise<Outcome> {
  const { sessions, warmupSeconds, seconds } = load;
  const url = transport === 'sse' ? mock.urls.sse : mock.urls.streamable;
  const pace = peer.paces && load.perSecond !== undefined ? { perSecond: load.perSecond } : {};
  const call = { tool: 'echo', arguments: { message: 'hello 0123456789abcdef' } };
  const told = { url, transport, sessions, inFlight: 1, ...call, warmupSeconds, seconds, ...pace };
  let tree: ProcessTree | null = null;
  let startMs = 0;
  let used: { cpuMs: number; residentBytes: number } | null = null;
  const onLine = (at: string, pid: number): void => {
    if (at === 'measuring') {
      tree = ProcessTree.from([pid]);
      startMs = tree.read()?.cpuMs ?? NaN;
    } else if ((at === 'measured' || at === 'done') && used === null) {
      const usage = tree?.read(true);
      used = { cpuMs: (usage?.cpuMs ?? NaN) - startMs, residentBytes: usage?.rssBytes ?? NaN };
    }
  };
  const limitMs = (warmupSeconds + seconds) * 1000 + 60_000;
  const { done, text, code } = await runClient(peer, told, { limitMs, onLine });
  if (done === undefined || used === null)
    throw new Error(`it ended with ${code}: ${text.trim().slice(-500)}`);
  if (done.errors > 0 || done.calls === 0 || done.sessions < sessions)
    throw new Error(`${done.errors} calls failed, ${done.sessions} sessions stood: ${done.firstError}`);
  return { done, ...(used as { cpuMs: number; residentBytes: number }) };
}

/** What fails is told in the table; the others go on. */
async function attempt(entry: Entry, measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    entry.reason ??= (error as Error).message;
    say(entry, entry.reason);
  }
}

function say({ peer, transport }: Entry, text: string): void {
  console.log(`${peer.name}, ${transport}: ${text}`);
}

function publish(): void {
  const before = existsSync(out) ? (JSON.parse(readFileSync(out, 'utf8')) as PeersRecord) : null;
  const measured = entries.map(
    ({ peer, postsOnly, transport, flatOut, latency, stall, reason }): PeerFigures => ({
      peer: peer.name,
      about: peer.about,
      transport,
      paces: peer.paces,
      postsOnly,
      date,
      git: machine.git,
      flatOut,
      latency,
      stall,
      reason,
    }),
  );
  const isNew = (old: PeerFigures): boolean =>
    measured.some(({ peer, transport }) => peer === old.peer && transport === old.transport);
  const left = peers.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason] as const]));
  const record: PeersRecord = {
    schema: 'mcp-bench/peers@1',
    machine: measured.length === 0 && before !== null ? before.machine : machine,
    figures: [...(before?.figures ?? []).filter((old) => !isNew(old)), ...measured],
    skipped: { ...before?.skipped, ...Object.fromEntries(left) },
  };
  writeFileWhole(out, `${JSON.stringify(record, null, 1)}\n`);
  const table = peersMarkdown(record);
  writeFileWhole(docs, replaceSection(readFileSync(docs, 'utf8'), 'bench:peers', table));
  console.log(`\n${table}\n\nwritten: ${out}, ${docs}`);
}
