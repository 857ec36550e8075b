import { EventEmitter } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { programOptions, say } from '../child-program.js';
import { measureWindow, type WindowFigures } from './measured-window.js';
import { echoText } from './messages.js';

// A program: the usual substitute for a load generator, loops around the official SDK's client.

export interface SdkClientOptions {
  readonly url: string;
  /** `sse` unless told. */
  readonly transport?: 'sse' | 'streamable' | 'stdio';
  /** Over stdio, in place of the URL. */
  readonly command?: readonly string[];
  readonly sessions: number;
  readonly inFlight: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** What is called; `echo` unless told. */
  readonly call?: { readonly tool: string; readonly arguments: Record<string, unknown> };
}

const options = programOptions<SdkClientOptions>();
const { url, sessions, inFlight, warmupSeconds, seconds, call } = options;
const HttpTransport = options.transport === 'streamable' ? StreamableHTTPClientTransport : SSEClientTransport;
const called = { name: call?.tool ?? 'echo', arguments: call?.arguments ?? { message: echoText } };
// Over a full pipe each message of the SDK's waits with a listener of its own, and Node warns of that.
EventEmitter.defaultMaxListeners = inFlight + 10;
let running = true;
let done = 0;

const clients = await Promise.all(Array.from({ length: sessions }, () => openClient())).catch(
  (error: Error) => {
    say({ failed: error.message });
    process.exit(1);
  },
);
for (const client of clients) for (let i = 0; i < inFlight; i++) void keepCalling(client);
const window = await measureWindow(warmupSeconds, seconds, () => done);
running = false;
say(window satisfies WindowFigures);
process.exit(0);

async function openClient(): Promise<Client> {
  const client = new Client({ name: 'sdk-loop', version: '1' });
  const [program, ...args] = options.command ?? [];
  await client.connect(
    program === undefined
      ? new HttpTransport(new URL(url))
      : new StdioClientTransport({ command: program, args }),
  );
  return client;
}

async function keepCalling(client: Client): Promise<void> {
  await client.callTool(called);
  done++;
  if (running) void keepCalling(client);
}
