import type { Argv, ArgumentsCamelCase } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { Failure } from '../../failure.js';
import { conformance } from '../../../mock-server/config/conformance.js';
import { dialectNames } from '../../../mock-server/protocol/dialects/dialect.js';
import { holdingFaults, holdingPresets, holdingWireOptions } from '../../../mock-server/calls/held-posts.js';
import { latencyForms } from '../../../mock-server/calls/latency.js';
import { loadConfig, parseSetting } from '../../../mock-server/config/load-config.js';
import type { Override } from '../../../mock-server/config/load-config.js';
import { presetNames } from '../../../mock-server/protocol/presets.js';
import { isLoopback, startMock } from '../../../mock-server/serve-mock.js';
import type { RunningMock } from '../../../mock-server/serve-mock.js';
import { faultNames } from '../../../mock-server/stats.js';
import type { StatsSnapshot } from '../../../mock-server/stats.js';
import { untilStopped } from '../runs/interrupts.js';
import { tell } from '../tell.js';

interface Flags {
  port: number;
  host: string;
  dialect?: string;
  like?: string;
  config?: string;
  latency?: string;
  fault: string[];
  freeze?: string;
  'keep-alive'?: string;
  ack?: string;
  'line-ending'?: string;
  set: string[];
  seed?: string;
  engine?: 'uws' | 'node';
  threads: number;
  log?: string;
  conformance: boolean;
  json: boolean;
}

/** `mcp-bench serve-mock`: runs the mock server until it is told to stop. */
export function serveMockCommand(done: (exitCode: number) => void): CommandCode<Flags> {
  return {
    builder: (yargs) => flags(yargs) as Argv<Flags>,
    handler: async (given) => {
      await serve(given);
      done(0);
    },
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .option('port', {
      type: 'number',
      default: 8765,
      requiresArg: true,
      describe: 'Port; 0 takes any free one',
    })
    .option('host', {
      type: 'string',
      default: '127.0.0.1',
      requiresArg: true,
      describe: 'Address to listen on',
    })
    .option('dialect', {
      type: 'string',
      requiresArg: true,
      describe: `${dialectNames.join(', ')}; or all, each under its own path (/classic/sse …)  [default: classic]`,
    })
    .option('like', {
      type: 'string',
      requiresArg: true,
      describe: `Imitate a real server: ${presetNames.map((name) => starred(name, holdingPresets())).join(', ')}`,
    })
    .option('config', {
      type: 'string',
      requiresArg: true,
      describe: 'YAML file with tools, faults, wire options, limits',
    })
    .option('latency', {
      type: 'string',
      requiresArg: true,
      describe: `How long calls take: ${latencyForms}`,
    })
    .option('fault', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: `Do this to a share of the calls, e.g. lost=1% or httpError=1%,status=500: ${faultNames.map((name) => starred(name, holdingFaults)).join(', ')}`,
    })
    .option('freeze', {
      type: 'string',
      requiresArg: true,
      describe: 'Stand still: at,for[,every], e.g. 5s,1s',
    })
    .option('keep-alive', {
      type: 'string',
      requiresArg: true,
      describe: 'Keep-alive on each stream, e.g. 15s',
    })
    .option('ack', {
      type: 'string',
      requiresArg: true,
      describe: 'When a POST is accepted: at-once, after-work*, after-event*',
    })
    .option('line-ending', {
      type: 'string',
      requiresArg: true,
      describe: 'lf, crlf, cr, mixed or mixed-endpoint',
    })
    .option('set', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Any key of the configuration, e.g. wire.broadcast=true or limits.sessions=50',
    })
    .option('seed', {
      type: 'string',
      requiresArg: true,
      describe: 'Decides every random choice  [default: 1]',
    })
    .option('engine', {
      choices: ['uws', 'node'] as const,
      describe: 'HTTP engine: uws (native) or node (our own)  [default: uws where it loads]',
    })
    .option('threads', {
      type: 'number',
      default: 1,
      requiresArg: true,
      describe: 'Threads behind the one port (uws only)',
    })
    .option('log', {
      type: 'string',
      requiresArg: true,
      describe: 'Write one JSON line per call to this file',
    })
    .option('conformance', {
      type: 'boolean',
      default: false,
      describe: 'Add the tools, prompts and resources that the official conformance suite asks for',
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'One JSON line when it listens, one with the counts at the end',
    })
    .group(['dialect', 'like', 'line-ending', 'keep-alive'], 'What it speaks:')
    .group(['latency', 'fault', 'ack', 'freeze', 'seed'], 'What it does to calls:')
    .group(['config', 'set', 'conformance'], 'Everything else:')
    .group(['port', 'host', 'engine', 'threads', 'log', 'json'], 'How it runs:')
    .example('$0 serve-mock --like python-sdk', 'CRLF, ping comments, /messages/?session_id=…')
    .example(
      '$0 serve-mock --latency "lognormal(20ms,0.5)" --fault lost=1%',
      'slow and lossy, the same at every run',
    )
    .epilog(
      '* Leaves POSTs unanswered for a while, and so needs clients that do not pipeline: uWebSockets closes a connection ' +
        'on which a second request arrives before the first is answered. So do, with --set or in --config, ' +
        `${holdingWireOptions.join(', ')}; and with --threads also the fault httpError.\n\n` +
        'GET /stats counts everything, /stats?reset starts from zero, /health says it is alive.\n' +
        'All keys, presets, faults and counts: mock-server/README.md',
    );
}

async function serve(given: ArgumentsCamelCase<Flags>): Promise<void> {
  checkRepeats(given);
  const config = loadConfig(given.config, overridesOf(given), given.conformance ? conformance : {});
  const { port, host, engine, threads, log } = given;
  const mock = await startMock(config, { port, host, engine, threads, log });
  if (!isLoopback(host))
    tell(`warning: ${host} can be reached from other machines; the mock checks no credentials`);
  if (mock.engineNote) tell(`warning: ${mock.engineNote}; running on the engine without native code`);
  const { url, urls, dialect } = mock;
  // Who reads that it listens may stop it at once.
  const stopped = untilStopped();
  if (given.json) console.log(JSON.stringify({ url, urls, engine: mock.engine, dialect, pid: process.pid }));
  else console.log(startLine(mock));
  await stopped;
  await mock.close();
  const stats = await mock.stats();
  console.log(given.json ? JSON.stringify({ stats }) : finalLines(stats));
}

// Of a flag that is given twice yargs makes a list.
function checkRepeats(given: ArgumentsCamelCase<Flags>): void {
  for (const [flag, value] of Object.entries(given))
    if (Array.isArray(value) && !['_', 'fault', 'set'].includes(flag))
      throw new Failure(`--${flag} is given ${value.length} times; give it once`);
}

/** A name with the mark of what needs clients that do not pipeline. */
function starred(name: string, marked: readonly string[]): string {
  return marked.includes(name) ? `${name}*` : name;
}

function overridesOf(given: ArgumentsCamelCase<Flags>): Override[] {
  const named: [value: string | undefined, flag: string, path: string][] = [
    [given.dialect, '--dialect', 'dialect'],
    [given.like, '--like', 'like'],
    [given.latency, '--latency', 'latency'],
    [given['keep-alive'], '--keep-alive', 'wire.keepAlive'],
    [given.ack, '--ack', 'wire.ack'],
    [given['line-ending'], '--line-ending', 'wire.lineEnding'],
  ];
  const overrides: Override[] = named
    .filter(([value]) => value !== undefined)
    .map(([value, flag, path]) => ({ path: path.split('.'), value, flag: `${flag} ${value}` }));
  if (given.seed !== undefined)
    overrides.push({
      path: ['seed'],
      value: given.seed.trim() === '' || Number.isNaN(Number(given.seed)) ? given.seed : Number(given.seed),
      flag: `--seed ${given.seed}`,
    });
  if (given.freeze !== undefined) overrides.push(freezeOf(given.freeze));
  return [
    ...overrides,
    ...given.fault.map((text) => faultOf(text)),
    ...given.set.map((text) => parseSetting(text, '--set')),
  ];
}

function faultOf(text: string): Override {
  const [first = '', ...more] = text.split(',');
  const { path, value } = parseSetting(first.includes('=') ? first : `${first}=100%`, '--fault');
  const details = more.map((part) => parseSetting(part, '--fault'));
  const whole = Object.fromEntries(details.map((detail) => [detail.path.join('.'), detail.value]));
  return { path: ['faults', ...path], value: { rate: value, ...whole }, flag: `--fault ${text}` };
}

function freezeOf(text: string): Override {
  const [at, length, every, ...more] = text.split(',');
  if (more.length > 0) throw new Failure(`--freeze ${text}: expected at,for[,every], such as 5s,1s,30s`);
  const value = { at, for: length, ...(every === undefined ? {} : { every }) };
  return { path: ['freeze'], value, flag: `--freeze ${text}` };
}

function startLine({ url, urls, dialect, engine, threads }: RunningMock): string {
  const more = `engine ${engine}${threads > 1 ? `, ${threads} threads` : ''}`;
  return `mcp-bench mock listens on ${url} (dialect ${dialect}, ${more})\n  and on ${urls.streamable} (Streamable HTTP)`;
}

function finalLines(stats: StatsSnapshot): string {
  const { sessions, posts, calls, injected } = stats;
  const done = Object.entries(injected).filter(([, count]) => count > 0);
  const lines = [
    `sessions: ${sessions.opened} opened, ${sessions.closedByClient} closed by clients, ${sessions.closedByServer} by the server`,
    `calls: ${calls.received} received, ${stats.responsesSent} responses sent, ${stats.lateWrites} too late; ${posts.received} POSTs`,
    `bytes: ${stats.bytes.in} in, ${stats.bytes.out} out`,
  ];
  if (done.length > 0) lines.push(`injected: ${done.map(([name, count]) => `${name} ${count}`).join(', ')}`);
  return lines.join('\n');
}
