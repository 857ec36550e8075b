import { RpcCode, RpcError } from '../json-rpc.js';
import type { Dialect } from './dialect.js';
import { rpcRefusals } from './refusals.js';

const invalidSession = -32004;
/** A tool that failed is a JSON-RPC error in this dialect. */
export const toolExecutionError = -32050;

/** pymcp-sse: the first event is JSON, tools take `kwargs`, results are bare, errors have codes of their own. */
export const pymcp: Dialect = {
  name: 'pymcp',
  streamPath: '/sse',
  sessionParam: 'session_id',
  sessionIdForm: 'uuid',
  wire: {
    endpoint: 'absolute',
    keepAliveAs: ['ping-event'],
    beforeInitialize: 'error',
    secondInitialize: 'error',
    describeToolsMethod: true,
    pushMethod: 'notification',
  },
  responseEvent: 'message',
  notificationEvent: 'message',
  idLast: true,
  methods: 'tools-only',
  protocolVersion: '0.3.0',
  protocolVersionRequired: true,
  pingBeforeInitialize: false,
  argumentsKey: 'kwargs',
  bareResults: true,
  notInitialized: new RpcError(-32002, 'Server not initialized'),
  alreadyInitialized: new RpcError(-32003, 'Server already initialized'),
  unknownToolCode: -32051,
  firstEvent: ({ endpoint, sessionId }) => ({
    event: 'endpoint',
    data: JSON.stringify({ endpoint, server_session_id: sessionId }),
  }),
  lastEvent: () => null,
  refuse: rpcRefusals(
    {
      notFound: [404, RpcCode.invalidRequest, 'Not found'],
      methodNotAllowed: [405, RpcCode.invalidRequest, 'Method not allowed'],
      foreignHost: [403, RpcCode.invalidRequest, 'Host header is not allowed'],
      foreignOrigin: [403, RpcCode.invalidRequest, 'Origin header is not allowed'],
      wrongContentType: [
        400,
        RpcCode.invalidRequest,
        'Invalid Request: Content-Type must be application/json',
      ],
      tooLarge: [413, RpcCode.invalidRequest, 'Invalid Request: body too large'],
      malformedJson: [400, RpcCode.parse, 'Parse error'],
      notJsonRpc: [400, RpcCode.invalidRequest, 'Invalid Request'],
      noSession: [400, invalidSession, 'Invalid session: session_id is missing'],
      unknownSession: [400, invalidSession, 'Invalid session'],
      streamGone: [400, invalidSession, 'Invalid session'],
      tooManySessions: [503, RpcCode.server, 'Too many sessions'],
    },
    true,
  ),
};
