import { accepted, answer, event, streamHead } from './scripted-mcp.js';
import { ScriptedServer, type ScriptedRequest, type ScriptedServerOptions } from './scripted-server.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly message?: string } };
}

/** What a test changes about the server; what it leaves out is done as a well-behaved classic server does it. */
export interface SurveyScript {
  readonly serverInfo?: object;
  readonly tools?: readonly object[];
  /** The bytes that answer the GET of a stream instead of an event stream's. */
  stream?(get: ScriptedRequest, ordinal: number): string;
  /** The response to a request, without its id; undefined is as usual. */
  respond?(message: Message, post: ScriptedRequest): object | undefined;
}

const echoTool = {
  name: 'echo',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};

/** A raw HTTP+SSE server with one tool, fit for every command: each request is kept as it came, to the byte. */
export async function serveSurvey(
  script: SurveyScript = {},
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const streams: ScriptedRequest[] = [];
  return ScriptedServer.listen((request) => {
    if (request.method === 'GET') {
      streams.push(request);
      const ordinal = streams.length - 1;
      const given = script.stream?.(request, ordinal);
      request.connection.write(given ?? streamHead + event(`/messages?sessionId=${ordinal}`, 'endpoint'));
      return;
    }
    const ordinal = /^\/messages\?.*?sessionId=(\d+)/.exec(request.target)?.[1];
    const stream = ordinal === undefined ? undefined : streams[Number(ordinal)];
    if (stream === undefined) return request.connection.write(answer(404));
    request.connection.write(accepted);
    const message = read(request.body);
    if (message.id === undefined || message.method === undefined) return;
    const outcome = script.respond?.(message, request) ?? { result: resultOf(message, script) };
    stream.connection.write(event({ jsonrpc: '2.0', id: message.id, ...outcome }));
  }, options);
}

// A probe sends nonsense as well, to see how it is taken.
function read(body: string): Message {
  try {
    return (JSON.parse(body) ?? {}) as Message;
  } catch {
    return {};
  }
}

function resultOf({ method, params }: Message, script: SurveyScript): object {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: script.serverInfo ?? { name: 'survey', version: '1' },
    };
  if (method === 'tools/list') return { tools: script.tools ?? [echoTool] };
  if (method === 'tools/call') return { content: [{ type: 'text', text: params?.arguments?.message ?? '' }] };
  return {};
}
