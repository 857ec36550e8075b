import { RpcCode, RpcError } from '../json-rpc.js';
import type { Dialect } from './dialect.js';
import { rpcRefusals } from './refusals.js';

/** One path per workspace for stream and messages, no session ids: every stream of a workspace sees all its responses. */
export const workspace: Dialect = {
  name: 'workspace',
  streamPath: '/mcp/',
  sessionParam: '',
  sessionIdForm: 'uuid',
  wire: { keepAliveAs: ['lifecycle-ping'] },
  responseEvent: 'response',
  notificationEvent: 'notification',
  idLast: false,
  methods: 'mcp',
  protocolVersion: 'negotiated',
  protocolVersionRequired: false,
  pingBeforeInitialize: true,
  argumentsKey: 'arguments',
  bareResults: false,
  notInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: not initialized'),
  alreadyInitialized: new RpcError(RpcCode.invalidRequest, 'Invalid request: already initialized'),
  unknownToolCode: RpcCode.invalidParams,
  firstEvent: ({ timestamp }) => ({
    event: 'lifecycle',
    data: `{"jsonrpc":"2.0","method":"streamOpened","params":{"timestamp":"${timestamp}"}}`,
  }),
  lastEvent: (reason) => ({
    event: 'lifecycle',
    data: `{"jsonrpc":"2.0","method":"streamClosed","params":{"reason":${JSON.stringify(reason)}}}`,
  }),
  refuse: rpcRefusals(
    {
      notFound: [404, RpcCode.invalidRequest, 'Not found'],
      methodNotAllowed: [405, RpcCode.invalidRequest, 'Method not allowed'],
      foreignHost: [403, RpcCode.invalidRequest, 'Host header is not allowed'],
      foreignOrigin: [403, RpcCode.invalidRequest, 'Origin header is not allowed'],
      wrongContentType: [
        400,
        RpcCode.invalidRequest,
        'Invalid request: Content-Type must be application/json',
      ],
      tooLarge: [413, RpcCode.invalidRequest, 'Invalid request: body too large'],
      malformedJson: [400, RpcCode.parse, 'Parse error'],
      notJsonRpc: [400, RpcCode.invalidRequest, 'Invalid request: not a JSON-RPC 2.0 message'],
      noSession: [404, RpcCode.invalidRequest, 'The path names no workspace'],
      unknownSession: [409, RpcCode.server, 'The workspace has no open stream'],
      streamGone: [409, RpcCode.server, 'The workspace has no open stream'],
      tooManySessions: [503, RpcCode.server, 'Too many streams'],
    },
    false,
  ),
};
