import { RpcCode, RpcError } from '../json-rpc.js';
import type { Dialect } from './dialect.js';
import { textRefusals } from './refusals.js';

/** A daemon on the Python SDK: hexadecimal session ids, a trailing slash that matters, a first event without a name. */
export const serena: Dialect = {
  name: 'serena',
  streamPath: '/sse',
  sessionParam: 'session_id',
  sessionIdForm: 'hex',
  wire: {
    messagesPath: '/messages/',
    endpoint: 'absolute',
    endpointEvent: 'unnamed',
    acceptedBody: 'Accepted',
    keepAliveAs: ['ping-comment'],
    beforeInitialize: 'error',
    secondInitialize: 'error',
    explicitIsError: true,
  },
  responseEvent: 'message',
  notificationEvent: 'message',
  idLast: false,
  methods: 'mcp',
  protocolVersion: 'negotiated',
  protocolVersionRequired: true,
  pingBeforeInitialize: true,
  argumentsKey: 'arguments',
  bareResults: false,
  notInitialized: new RpcError(RpcCode.invalidParams, 'Invalid request parameters', ''),
  alreadyInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: already initialized'),
  unknownToolCode: RpcCode.invalidParams,
  firstEvent: ({ endpoint }) => ({ event: 'endpoint', data: endpoint }),
  lastEvent: () => null,
  refuse: textRefusals({
    notFound: [404, 'Not Found'],
    methodNotAllowed: [405, 'Method Not Allowed'],
    foreignHost: [421, 'Invalid Host header'],
    foreignOrigin: [403, 'Invalid Origin header'],
    wrongContentType: [400, 'Invalid Content-Type header'],
    tooLarge: [413, 'Payload too large'],
    malformedJson: [400, 'Could not parse message'],
    notJsonRpc: [400, 'Could not parse message'],
    noSession: [400, 'session_id is required'],
    unknownSession: [404, 'Could not find session'],
    streamGone: [404, 'Could not find session'],
    tooManySessions: [503, 'Too many sessions'],
  }),
};
