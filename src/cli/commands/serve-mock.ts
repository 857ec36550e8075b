import type { Argv, ArgumentsCamelCase } from 'yargs';
import type { CommandCode } from '../command-code.js';
import { Failure } from '../../failure.js';
import { dialectNames } from '../../../mock-server/protocol/dialects/dialect.js';
import { holdingFaults, holdingPresets, holdingWireOptions } from '../../../mock-server/calls/held-posts.js';
import { latencyForms } from '../../../mock-server/calls/latency.js';
import type { MockFlags } from '../mock/mock-flags.js';
import { presetNames } from '../../../mock-server/protocol/presets.js';
import { faultNames } from '../../../mock-server/stats.js';
import { plainStreamable } from '../../../mock-server/streamable/streamable-options.js';

/** `mcp-bench serve-mock`: runs the mock server until it is told to stop. */
export function serveMockCommand(done: (exitCode: number) => void): CommandCode<MockFlags> {
  return {
    builder: (yargs) => flags(yargs) as Argv<MockFlags>,
    handler: async (given) => {
      checkRepeats(given);
      // A process for each session is started by the hundred: it loads its half alone.
      if (given.stdio) return done(await (await import('../mock/serve-pipes.js')).servePipes(given));
      refuseForStdio(given);
      await (await import('../mock/serve-http.js')).serveHttp(given);
      done(0);
    },
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .option('port', {
      type: 'number',
      requiresArg: true,
      describe: 'Port; 0 takes any free one  [default: 8765]',
    })
    .option('host', {
      type: 'string',
      requiresArg: true,
      describe: 'Address to listen on  [default: 127.0.0.1]',
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
      describe:
        'Any key of the configuration, e.g. wire.broadcast=true, streamable.sessions=false or limits.sessions=50',
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
      requiresArg: true,
      describe: 'Threads behind the one port (uws only)  [default: 1]',
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
    .option('stdio', {
      type: 'boolean',
      default: false,
      describe: 'Speak on stdin and stdout instead of a port: one process is one session',
    })
    .option('ignore-eof', {
      type: 'boolean',
      default: false,
      describe: 'With --stdio: go on for ten minutes when stdin has ended',
    })
    .option('stats-file', {
      type: 'string',
      requiresArg: true,
      describe:
        'With --stdio: add the counts to this file as a JSON line, instead of printing them on stderr',
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
    .group(['stdio', 'ignore-eof', 'stats-file'], 'On stdin and stdout:')
    .example('$0 serve-mock --like python-sdk', 'CRLF, ping comments, /messages/?session_id=…')
    .example('$0 serve-mock --set streamable.body=sse', 'Streamable HTTP that answers with event streams')
    .example(
      '$0 serve-mock --latency "lognormal(20ms,0.5)" --fault lost=1%',
      'slow and lossy, the same at every run',
    )
    .epilog(
      '* Leaves POSTs unanswered for a while, and so needs clients that do not pipeline: uWebSockets closes a connection ' +
        'on which a second request arrives before the first is answered. So do, with --set or in --config, ' +
        `${holdingWireOptions.join(', ')}; and with --threads also the fault httpError.\n\n` +
        'Streamable HTTP is at /mcp, both eras at once; with --set or in --config: ' +
        `${Object.keys(plainStreamable)
          .map((key) => `streamable.${key}`)
          .join(', ')}.\n\n` +
        'GET /stats counts everything, /stats?reset starts from zero, /health says it is alive.\n' +
        'All keys, presets, faults and counts: mock-server/README.md',
    );
}

// Of a flag that is given twice yargs makes a list.
function checkRepeats(given: ArgumentsCamelCase<MockFlags>): void {
  for (const [flag, value] of Object.entries(given))
    if (Array.isArray(value) && !['_', 'fault', 'set'].includes(flag))
      throw new Failure(`--${flag} is given ${value.length} times; give it once`);
}

function refuseForStdio(given: ArgumentsCamelCase<MockFlags>): void {
  const alone = given.ignoreEof ? '--ignore-eof' : given.statsFile === undefined ? undefined : '--stats-file';
  if (alone !== undefined) throw new Failure(`${alone} is for --stdio; add it, or leave ${alone} out`);
}

/** A name with the mark of what needs clients that do not pipeline. */
function starred(name: string, marked: readonly string[]): string {
  return marked.includes(name) ? `${name}*` : name;
}
