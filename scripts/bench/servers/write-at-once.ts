import { randomUUID } from 'node:crypto';
import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';
import { programOptions, say } from '../child-program.js';

// A program: the least that can answer calls on uWebSockets, each event written the moment that it is known. What a lone
// call takes here is what it should take with the mock, which gathers its writes.

export interface WriteAtOnceOptions {
  /**
   * Whether the 202 leaves before the event, as with the mock. uWebSockets itself keeps back what is written to a POST within
   * its callback, so for that order both are written just after it; otherwise the event overtakes its 202, in four pieces,
   * since only one socket at a time can be corked.
   */
  readonly acceptFirst: boolean;
}

const { acceptFirst } = programOptions<WriteAtOnceOptions>();

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly message?: string } };
}

const streams = new Map<string, HttpResponse>();
const app = App();
app.get('/sse', (response) => {
  const id = randomUUID();
  streams.set(id, response);
  response.onAborted(() => void streams.delete(id));
  response
    .writeStatus('200 OK')
    .writeHeader('Content-Type', 'text/event-stream')
    .write(`event: endpoint\ndata: /messages?sessionId=${id}\n\n`);
});
app.post('/messages', (response, request) => {
  const stream = streams.get(request.getQuery('sessionId') ?? '');
  let gone = false;
  response.onAborted(() => void (gone = true));
  response.onData((chunk, isLast) => {
    if (!isLast || !stream) throw new Error('the benchmark sends small bodies to live sessions only');
    const message = JSON.parse(Buffer.from(chunk).toString()) as Message;
    if (acceptFirst) setImmediate(() => gone || answer(response, stream, message));
    else answer(response, stream, message);
  });
});
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('cannot listen');
  say({ url: `http://127.0.0.1:${us_socket_local_port(socket)}/sse` });
});
process.once('SIGTERM', () => process.exit(0));

function answer(response: HttpResponse, stream: HttpResponse, message: Message): void {
  response.cork(() => void response.writeStatus('202 Accepted').end('Accepted'));
  if (message.id === undefined) return;
  stream.cork(() => void stream.write(`event: message\ndata: ${answerTo(message)}\n\n`));
}

function answerTo({ id, method, params }: Message): string {
  const result =
    method === 'initialize'
      ? '{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"write-at-once","version":"1"}}'
      : `{"content":[{"type":"text","text":${JSON.stringify(params?.arguments?.message)}}]}`;
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}
