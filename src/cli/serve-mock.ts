import type { Argv, ArgumentsCamelCase, CommandModule } from 'yargs';
import { serveMock } from '../../mock-server/serve-mock.js';
import type { ServeMockOptions } from '../../mock-server/serve-mock.js';

interface Flags {
  port: number;
  host: string;
  dialect?: string;
  like?: string;
  latency?: string;
  engine?: string;
  seed?: number;
  log?: string;
  json: boolean;
}

/** `mcp-bench serve-mock`: runs the mock server until it is told to stop. */
export function serveMockCommand(done: (exitCode: number) => void): CommandModule<object, Flags> {
  return {
    command: 'serve-mock',
    describe: 'Run the mock MCP server',
    builder: (yargs) => flags(yargs) as Argv<Flags>,
    handler: async (given) => {
      await serve(given);
      done(0);
    },
  };
}

function flags(yargs: Argv<object>): Argv<object> {
  return yargs
    .option('port', { type: 'number', default: 8765, describe: 'port to listen on; 0 for any' })
    .option('host', { type: 'string', default: '127.0.0.1', describe: 'address to listen on' })
    .option('dialect', { type: 'string', describe: 'which dialect of MCP over SSE to speak' })
    .option('like', { type: 'string', describe: 'imitate a real implementation' })
    .option('latency', { type: 'string', describe: 'how long calls take' })
    .option('engine', { type: 'string', choices: ['uws', 'node'], describe: 'HTTP engine' })
    .option('seed', { type: 'number', describe: 'decides every random choice' })
    .option('log', { type: 'string', describe: 'write one JSON line per call to this file' })
    .option('json', { type: 'boolean', default: false, describe: 'print one JSON line when it listens' });
}

async function serve(given: ArgumentsCamelCase<Flags>): Promise<void> {
  const { port, host, dialect, like, latency, engine, seed, log } = given;
  const options = Object.fromEntries(
    Object.entries({ port, host, dialect, like, latency, engine, seed, log }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as ServeMockOptions;
  const mock = await serveMock(options);
  const line = { url: mock.url, engine: mock.engine, dialect: mock.dialect, pid: process.pid };
  console.log(
    given.json ? JSON.stringify(line) : `mcp-bench mock (${mock.dialect}, ${mock.engine}) on ${mock.url}`,
  );
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await mock.close();
}
