import { checkConfig } from '../config/load-config.js';
import type { MockConfigInput } from '../config/config.js';
import type { CallLog } from '../calls/call-log.js';
import { ManualLoop, RecordingSink } from '../core.fixture.js';
import type { Loop } from '../time/loop.js';
import { StdioServer } from './stdio-server.js';

type Message = Record<string, unknown>;

/** A mock on pipes that are recorded, on a loop that stands still. */
export function stdioCoreOf(config: MockConfigInput = {}, log: (loop: Loop) => CallLog | null = () => null) {
  const loop = new ManualLoop();
  const sink = new RecordingSink();
  const stderr: string[] = [];
  const over: number[] = [];
  const idle: number[] = [];
  const server = new StdioServer(
    checkConfig(config, () => 'test'),
    {
      loop,
      log: log(loop),
      version: '0.0.0-test',
      id: 'process',
      stdout: sink,
      stderr: (text) => stderr.push(text),
      idle: () => idle.push(loop.nowNs()),
      over: (exitCode) => over.push(exitCode),
    },
  );
  server.start();
  const send = (...messages: (object | string)[]): void => {
    for (const message of messages) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      server.receive(text, Buffer.byteLength(text) + 1);
    }
    loop.turn();
  };
  const lines = (): string[] => sink.text.split('\n').slice(0, -1);
  const messages = (): Message[] => lines().map((line) => JSON.parse(line) as Message);
  return { loop, sink, stderr, idle, over, server, send, lines, messages };
}

/** A request. */
export function request(id: number | string, method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** A request of the stateless era. */
export function stateless(
  id: number | string,
  method: string,
  params: object = {},
  capabilities: object = {},
): object {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return request(id, method, { ...params, _meta });
}

/** A call of `echo`. */
export function echo(id: number | string, message = String(id)): object {
  return request(id, 'tools/call', { name: 'echo', arguments: { message } });
}

/** The first request of a session. */
export function initialize(protocolVersion = '2025-11-25', capabilities: object = {}): object {
  const clientInfo = { name: 'test', version: '1' };
  return request('init', 'initialize', { protocolVersion, capabilities, clientInfo });
}
