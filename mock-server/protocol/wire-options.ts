import { z } from 'zod';
import { durationNs } from '../config/config-fields.js';

const keepAliveForms = ['comment', 'ping-comment', 'ping-event', 'lifecycle-ping'] as const;

/** Every way in which real servers of one dialect differ on the wire. What a dialect or preset does not set is as in `plainWire`. */
export const wireSchema = z.strictObject({
  // The stream
  lineEnding: z
    .enum(['lf', 'crlf', 'cr', 'mixed', 'mixed-endpoint'])
    .describe(
      'line ends of events; mixed: LF inside, CRLF CRLF at the end; mixed-endpoint: only of the first, the rest is LF (mcp-go)',
    ),
  spaceAfterColon: z
    .enum(['always', 'endpoint', 'except-requests', 'never'])
    .describe(
      '`data: x` or `data:x`; endpoint: only the first event has the space; except-requests: only `data:` of server requests has none (mcp-go)',
    ),
  eventIds: z.boolean().describe('an `id:` line on every event, counting up from 1'),
  retryMs: z.int().min(0).describe('a `retry:` line on the first event; 0: none'),
  splitEvents: z.boolean().describe('every event is written in two pieces, a moment apart'),
  byteOrderMark: z.boolean().describe('the stream starts with a UTF-8 byte order mark'),
  endpoint: z.enum(['relative', 'absolute']).describe('the form of the message URL in the first event'),
  endpointEvent: z.enum(['named', 'unnamed']).describe('whether the first event has an `event:` line'),
  messagesPath: z
    .string()
    .regex(/^\/[^\s?#]*$/, { error: 'expected a path, such as /messages' })
    .describe('where messages are POSTed to'),
  keepAlive: durationNs.describe('how often a keep-alive is sent on each stream; 0: never'),
  keepAliveAs: z
    .array(z.enum(keepAliveForms))
    .min(1)
    .describe('what a keep-alive looks like; all of the list are sent'),
  // The POST
  acceptedStatus: z.int().min(200).max(299).describe('the status of an accepted POST'),
  acceptedBody: z.string().max(1000).describe('the body of an accepted POST'),
  acceptedChunked: z.boolean().describe('that body with chunked encoding instead of Content-Length'),
  ack: z
    .enum(['at-once', 'after-work', 'after-event'])
    .describe('when a request is accepted; all but at-once need clients that do not pipeline POSTs'),
  ackGap: durationNs.describe('how long after its event the acceptance follows, with after-event'),
  jsonInPost: z
    .boolean()
    .describe('the response also stands in the body of its POST, a duplicate; the POST waits for the work'),
  malformedJsonStatus: z.int().min(400).max(599).describe('the status for a body that is not JSON'),
  unknownSession: z
    .union([z.int().min(400).max(599), z.enum(['dialect', 'never'])])
    .describe('the answer to an unknown session: the dialect’s, a status, or never any'),
  redirectMissingSlash: z.boolean().describe('307 from `/messages` to `/messages/`'),
  methodNotFoundFirst: z
    .boolean()
    .describe('the error event for an unknown method is written before its 202'),
  // The protocol
  beforeInitialize: z
    .enum(['serve', 'error', 'end'])
    .describe('requests before initialize: served, refused, or the end of the session'),
  secondInitialize: z.enum(['serve', 'error']).describe('a second initialize'),
  initialized: z
    .enum(['accept', 'required', 'gate', 'error'])
    .describe(
      'notifications/initialized: accepted; required as the second message; tools/call hangs before it; or answered with an error of id null',
    ),
  describeToolsMethod: z.boolean().describe('describe_tools is a method too, not only a tool (pymcp)'),
  explicitIsError: z.boolean().describe('`isError: false` on good results'),
  errorData: z.boolean().describe('`error.data` on every error'),
  earlyNotification: z
    .boolean()
    .describe('a log notification straight after the first event, before initialize'),
  pushMethod: z.string().min(1).describe('the method of pushed notifications'),
  serverPing: durationNs.describe('how often the server sends a `ping` request on each stream; 0: never'),
  serverPingIds: z
    .enum(['zero', 'count'])
    .describe('ids of server requests: always 0, or 1, 2, 3… per session'),
  serverPingWaits: z.boolean().describe('no further ping before the last one was answered'),
  broadcast: z.boolean().describe('every response goes to all sessions'),
  queueLimit: z
    .int()
    .min(0)
    .describe('events (drop) or calls (block) that may wait per session; 0: no limit'),
  queueFull: z
    .enum(['drop', 'block'])
    .describe(
      'beyond it responses are dropped after their 202 (mcp-go), or the POST is held until there is room (rmcp)',
    ),
});
export type WireOptions = z.infer<typeof wireSchema>;
