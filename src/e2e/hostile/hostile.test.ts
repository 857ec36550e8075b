import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunResult } from '../../result/result.js';
import { type CommandEnd, CommandLane } from '../fixtures/command-lane.js';
import { type Attack, attacks } from './hostile-attacks.js';
import { type CommandFiles, expectUnhurt, type HostileCommand, hostileCommands } from './hostile-commands.js';
import { listenHostile } from './hostile-server.js';
import { countsOf } from '../fixtures/play.js';
import type { McpServer } from '../fixtures/scripted-mcp.js';

// All commands go their way through the attacks at once, and a test waits for its own. What hangs is killed long before this.
vi.setConfig({ testTimeout: 1_200_000 });

// Messages of 4 to 16 MB stand in memory several times over, in two threads since runs look for tools: 200 to 320 MB were seen; of what has no bound it was 450 and more.
const mostMoreBytes = 400e6;
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-hostile-'));
const servers: McpServer[] = [];
const urls = new Map<Attack, string>();
const lanes: CommandLane[] = [];
/** By attack and command. */
const ends = new Map<string, Promise<CommandEnd>>();
const tried = new Map<Attack, readonly HostileCommand[]>();
let turns = 0;

function keyOf(attack: Attack, command: HostileCommand): string {
  return `${attack.name} / ${command.name}`;
}

function filesOf(attack: Attack, command: HostileCommand): CommandFiles {
  const stem = join(folder, `${attacks.indexOf(attack)}`);
  return {
    scenario: `${stem}.yaml`,
    targets: `${stem}-targets.yaml`,
    out: `${stem}-${hostileCommands.indexOf(command)}.json`,
  };
}

// A limit that is to be reached is short, and one that must not be is long, for the machine may be busy.
function scenarioOf(attack: Attack): object {
  const { run, says } = attack;
  return {
    sessions: 4,
    load: { model: 'closed', inFlight: 2, think: '5ms' },
    duration: '30ms',
    calls: [{ tool: 'echo', arguments: { message: 'call {{seq}}' }, expect: 'echo' }],
    timeouts: {
      connect: '10s',
      handshake: run === 'no session' && says === undefined ? '300ms' : '10s',
      call:
        run === 'all ok' || endsOtherwise(attack)
          ? '60s'
          : acceptedFirst(attack)
            ? '2s'
            : run === 'some ok'
              ? '1s'
              : '300ms',
    },
  };
}

/** A 202 is to come within the time of a call, and nothing else. */
function acceptedFirst({ counts = [] }: Attack): boolean {
  return counts.includes('acceptedNoResponse');
}

/** No call is ok, and what becomes of all of them is not that their time is up. */
function endsOtherwise({ run, counts }: Attack): boolean {
  return run === 'none ok' && counts?.some((name) => /timeout|acceptedNoResponse/.test(name)) === false;
}

/** The first stays the first; the commands take the others from different places on, so that the large ones meet no others. */
function inTurn(faced: readonly Attack[], command: HostileCommand): readonly Attack[] {
  const [first, ...rest] = faced;
  const from = Math.floor((rest.length * hostileCommands.indexOf(command)) / hostileCommands.length);
  return [first!, ...rest.slice(from), ...rest.slice(0, from)];
}

// oxlint-disable-next-line no-empty-pattern
beforeAll(async ({}, { tasks }) => {
  // Those that `-t` leaves out are not tried; the first is what the others are measured against.
  const wanted = attacks.filter((_, at) => at === 0 || tasks[at]!.mode !== 'skip');
  for (const attack of wanted) {
    const server = await listenHostile(attack.script);
    servers.push(server);
    urls.set(attack, server.url);
    const { scenario, targets } = filesOf(attack, hostileCommands[0]!);
    writeFileSync(scenario, JSON.stringify(scenarioOf(attack)));
    writeFileSync(
      targets,
      JSON.stringify({ targets: [{ name: 'hostile', url: server.url, ready: '300ms' }] }),
    );
  }
  for (const command of hostileCommands) {
    const faced = inTurn(
      wanted.filter((attack) => tried.get(attack)!.includes(command)),
      command,
    );
    const commandLines = faced.map((attack) => command.args(urls.get(attack)!, filesOf(attack, command)));
    const lane = new CommandLane(commandLines, folder, join(folder, `lane-${lanes.length}.json`));
    lanes.push(lane);
    for (const [at, end] of lane.start().entries()) ends.set(keyOf(faced[at]!, command), end);
  }
});

afterAll(async () => {
  for (const lane of lanes) lane.close();
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** By how POSTs are sent only where one is: before that, each way gets its turn. */
function commandsFor({ beforePosts = false }: Attack): readonly HostileCommand[] {
  if (!beforePosts) return hostileCommands;
  const turn = turns++ % 3;
  return hostileCommands.filter(({ kind }, at) => kind !== 'run' || at % 3 === turn);
}

for (const attack of attacks) {
  const commands = commandsFor(attack);
  tried.set(attack, commands);
  describe(attack.name, () => {
    test.each(commands)('$name', async (command) => {
      const ordinary = await ends.get(keyOf(attacks[0]!, command))!;
      const end = await ends.get(keyOf(attack, command))!;
      const result = expectUnhurt(command, end, filesOf(attack, command).out);
      expect(end.peakBytes).toBeGreaterThan(0);
      expect(end.peakBytes).toBeLessThan(ordinary.peakBytes + mostMoreBytes);
      if (command.kind === 'run') expectOfRun(attack, end, result);
    });
  });
}

function expectOfRun({ run, says, counts = [] }: Attack, end: CommandEnd, result: RunResult | null): void {
  const { code, stderr } = end;
  if (says !== undefined) expect(stderr).toMatch(says);
  if (run === 'no session') {
    expect(result).toBeNull();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mcp-bench: no session with .*\n$/m);
    return;
  }
  expect(result, stderr).not.toBeNull();
  const { started, outcomes } = result!.totals;
  expect(started).toBeGreaterThan(0);
  if (run === 'all ok') expect(outcomes.ok).toBe(started);
  else if (run === 'some ok') expect(outcomes.ok).toBeGreaterThan(0);
  else expect(outcomes.ok).toBe(0);
  expect(code).toBe(run === 'none ok' ? 1 : 0);
  for (const name of counts) expect(countsOf(result!)).toHaveProperty([name]);
}
