import { z } from 'zod';
import { durationNs, share } from '../config/config-fields.js';

/** Everything that can be set about the Streamable HTTP endpoint. What nobody sets is as in `plainStreamable`. */
export const streamableSchema = z.strictObject({
  path: z
    .string()
    .regex(/^\/[^\s?#]*$/, { error: 'expected a path, such as /mcp' })
    .describe('where the endpoint is'),
  eras: z
    .enum(['both', 'sessions', 'stateless'])
    .describe('the eras it speaks: revisions up to 2025-11-25 have sessions, 2026-07-28 has none'),
  // Answers
  body: z
    .enum(['auto', 'json', 'sse'])
    .describe('how requests are answered: a JSON body, an event stream, or a stream only where it is needed'),
  statelessBody: z
    .enum(['same', 'auto', 'json', 'sse'])
    .describe('how requests of the stateless era are answered, where that is not as body has it'),
  sseShare: share.describe('share of the answers that are streams though they need not be, with body: auto'),
  headers: z
    .enum(['early', 'with-message'])
    .describe(
      'when the head of a stream is sent: as soon as the request is accepted, or with its first message',
    ),
  contentLength: z
    .boolean()
    .describe('streams that are complete at once have a Content-Length and are not chunked'),
  lineEnding: z.enum(['lf', 'crlf']).describe('line ends of events'),
  eventName: z.enum(['message', 'none']).describe('whether events have an `event: message` line'),
  releaseDelay: durationNs.describe('how long after the response the body of its stream ends'),
  errorStatus: z
    .union([z.literal(200), z.literal(400)])
    .describe('the status of answers that are JSON-RPC errors −32602'),
  keepAlive: durationNs.describe('how often a comment is sent on open streams; 0: never'),
  // Resumption
  eventIds: z.boolean().describe('an `id:` line on every event'),
  prime: z
    .enum(['none', 'empty', 'named'])
    .describe('an event with an id and no data goes first; named: as `event: prime`'),
  retry: durationNs.describe('a `retry:` line on the first event; 0: none'),
  storedEvents: z
    .int()
    .min(0)
    .max(100_000)
    .describe('events kept per session for Last-Event-ID; 0: streams cannot be resumed'),
  disconnect: share.describe(
    'share of the calls whose stream ends before the response, which can be had by resuming it',
  ),
  // Sessions
  sessions: z.boolean().describe('initialize gives out a session id'),
  sessionHeader: z
    .enum(['initialize', 'always'])
    .describe('which answers carry the session id: that to initialize, or all of its session'),
  getStreams: z
    .int()
    .min(0)
    .describe('how many streams by GET a session may have open; beyond: 409; 0: GET is answered 405'),
  deleteStatus: z
    .union([z.literal(200), z.literal(202), z.literal(204), z.literal(405)])
    .describe('the answer to the DELETE of a session; with 405 there is no such thing'),
  unknownSession: z.int().min(400).max(599).describe('the status for a session that is not known'),
  expireAfter: durationNs.describe('sessions are forgotten after that long without a request; 0: never'),
  expireAfterCalls: z.int().min(0).describe('sessions are forgotten after so many calls of tools; 0: never'),
  sessionLost: share.describe('share of the calls that find their session forgotten'),
  // Stateless era
  inputRequired: share.describe(
    'share of the calls that are answered `input_required` first, with a requestState',
  ),
  cacheTtl: durationNs.describe('`ttlMs` of lists and resources'),
  cacheScope: z.enum(['public', 'private']),
  // Checks and notifications
  checkAccept: z.boolean().describe('406 where Accept does not name both kinds of body'),
  checkHeaders: z
    .boolean()
    .describe('400 where MCP-Protocol-Version, Mcp-Method, Mcp-Name or Mcp-Param-… contradict the body'),
  listChanges: durationNs.describe('how often changed lists are announced to who listens; 0: never'),
});
export type StreamableOptions = z.infer<typeof streamableSchema>;

/** What holds where neither a preset nor the user says otherwise. */
export const plainStreamable: StreamableOptions = {
  path: '/mcp',
  eras: 'both',
  body: 'auto',
  statelessBody: 'same',
  sseShare: 0,
  headers: 'early',
  contentLength: false,
  lineEnding: 'lf',
  eventName: 'message',
  releaseDelay: 0,
  errorStatus: 200,
  keepAlive: 0,
  eventIds: false,
  prime: 'none',
  retry: 0,
  storedEvents: 0,
  disconnect: 0,
  sessions: true,
  sessionHeader: 'always',
  getStreams: 1,
  deleteStatus: 200,
  unknownSession: 404,
  expireAfter: 0,
  expireAfterCalls: 0,
  sessionLost: 0,
  inputRequired: 0,
  cacheTtl: 0,
  cacheScope: 'private',
  checkAccept: true,
  checkHeaders: true,
  listChanges: 0,
};

/** How requests of an era are answered. */
export function bodyFor(
  { body, statelessBody }: Pick<StreamableOptions, 'body' | 'statelessBody'>,
  era: 'sessions' | 'stateless',
): StreamableOptions['body'] {
  return era === 'sessions' || statelessBody === 'same' ? body : statelessBody;
}
