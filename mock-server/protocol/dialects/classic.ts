import { RpcCode, RpcError } from '../json-rpc.js';
import type { Dialect } from './dialect.js';
import { textRefusals } from './refusals.js';

/** The first HTTP+SSE transport of MCP, as the TypeScript SDK serves it. */
export const classic: Dialect = {
  name: 'classic',
  streamPath: '/sse',
  sessionParam: 'sessionId',
  sessionIdForm: 'uuid',
  wire: { acceptedBody: 'Accepted', pushMethod: 'logging' },
  responseEvent: 'message',
  notificationEvent: 'message',
  idLast: false,
  methods: 'mcp+legacy',
  protocolVersion: 'negotiated',
  protocolVersionRequired: false,
  pingBeforeInitialize: true,
  argumentsKey: 'arguments',
  bareResults: false,
  notInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: server not initialized'),
  alreadyInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: server already initialized'),
  unknownToolCode: RpcCode.invalidParams,
  firstEvent: ({ endpoint }) => ({ event: 'endpoint', data: endpoint }),
  lastEvent: () => null,
  refuse: textRefusals({
    notFound: [404, 'Not found'],
    methodNotAllowed: [405, 'Method not allowed'],
    foreignHost: [403, 'Invalid Host header'],
    foreignOrigin: [403, 'Invalid Origin header'],
    wrongContentType: [400, 'Error: Unsupported content-type'],
    tooLarge: [400, 'PayloadTooLargeError: request entity too large'],
    malformedJson: [400, 'Invalid message: {body}'],
    notJsonRpc: [400, 'Invalid message: {body}'],
    noSession: [400, 'Missing sessionId parameter'],
    unknownSession: [404, 'Session not found'],
    streamGone: [500, 'SSE connection not established'],
    tooManySessions: [503, 'Too many sessions'],
  }),
};
