import { RpcCode, RpcError } from '../json-rpc.js';
import type { Dialect } from './dialect.js';
import { textRefusals } from './refusals.js';

/** The SSE server of the Rust SDK: empty bodies, and a handshake whose order is enforced by ending the session. */
export const rmcp: Dialect = {
  name: 'rmcp',
  streamPath: '/sse',
  sessionParam: 'sessionId',
  sessionIdForm: 'uuid',
  wire: {
    messagesPath: '/message',
    beforeInitialize: 'end',
    secondInitialize: 'error',
    initialized: 'required',
    explicitIsError: true,
  },
  responseEvent: 'message',
  notificationEvent: 'message',
  idLast: false,
  methods: 'mcp',
  protocolVersion: 'negotiated',
  protocolVersionRequired: true,
  pingBeforeInitialize: false,
  argumentsKey: 'arguments',
  bareResults: false,
  notInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: expect initialize request'),
  alreadyInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: already initialized'),
  unknownToolCode: RpcCode.invalidParams,
  firstEvent: ({ endpoint }) => ({ event: 'endpoint', data: endpoint }),
  lastEvent: () => null,
  refuse: textRefusals({
    notFound: [404, ''],
    methodNotAllowed: [405, ''],
    foreignHost: [403, 'Forbidden: Host header is not allowed'],
    foreignOrigin: [403, 'Forbidden: Origin header is not allowed'],
    wrongContentType: [415, 'Expected request with `Content-Type: application/json`'],
    tooLarge: [413, 'length limit exceeded'],
    malformedJson: [400, 'Failed to parse the request body as JSON'],
    notJsonRpc: [400, 'Failed to deserialize the JSON body into a JSON-RPC message'],
    noSession: [400, 'Failed to deserialize query string: missing field `sessionId`'],
    unknownSession: [404, ''],
    streamGone: [410, ''],
    tooManySessions: [503, ''],
  }),
};
