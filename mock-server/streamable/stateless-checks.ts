import { firstStateless, metaKeys, StatelessCode, statelessVersions } from '../peers/eras.js';
import type { McpHeaders } from '../http/mcp-headers.js';
import { headerSays, headerValueOf } from './param-headers.js';
import type { ParamHeader } from './param-headers.js';
import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import type { RpcMessage } from '../protocol/json-rpc.js';

const longestQuote = 200;
const nameFields: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Whether a message is of the stateless era: by what it says itself, or by its header. */
export function isStateless(message: RpcMessage, headers: McpHeaders): boolean {
  if (headers.protocolVersion >= firstStateless) return true;
  const meta = (message.params as Record<string, unknown> | undefined)?.['_meta'];
  if (typeof meta === 'object' && meta !== null && Object.hasOwn(meta, metaKeys.version)) return true;
  return message.method === 'server/discover';
}

/** What is wrong with a request of the stateless era, before anybody looks at its method. */
export function wrongWith(
  message: RpcMessage,
  headers: McpHeaders,
  checkHeaders: boolean,
): RpcError | undefined {
  const params = (message.params ?? {}) as Record<string, unknown>;
  const meta = (params['_meta'] ?? {}) as Record<string, unknown>;
  const version = meta[metaKeys.version];
  const capabilities = meta[metaKeys.capabilities];
  if (version === undefined || capabilities === undefined) return lacking(meta);
  if (typeof version !== 'string' || typeof capabilities !== 'object')
    return new RpcError(RpcCode.invalidParams, 'Invalid params: _meta has a key of the wrong type');
  if (checkHeaders && headers.protocolVersion !== version)
    return mismatch('MCP-Protocol-Version', headers.protocolVersion, version);
  if (version !== firstStateless && !(statelessVersions as readonly string[]).includes(version))
    return unsupportedVersion(version);
  return checkHeaders ? standardHeaders(message.method!, params, headers) : undefined;
}

/** The error for a revision that is not served. */
export function unsupportedVersion(requested: string | undefined): RpcError {
  return new RpcError(StatelessCode.unsupportedVersion, 'Unsupported protocol version', {
    supported: [...statelessVersions],
    ...(requested === undefined ? {} : { requested: requested.slice(0, longestQuote) }),
  });
}

/** What is wrong with the headers in which a tool wants its arguments repeated. */
export function wrongParams(
  wanted: readonly ParamHeader[],
  args: Record<string, unknown>,
  headers: McpHeaders,
): RpcError | undefined {
  for (const { header, path } of wanted) {
    const value = headerValueOf(args, path);
    if (value === undefined) continue;
    const given = headers.params?.get(header);
    if (given === undefined || !headerSays(given, value))
      return mismatch(`Mcp-Param-${header}`, given ?? '', value);
  }
  return undefined;
}

function lacking(meta: Record<string, unknown>): RpcError {
  const missing = [metaKeys.version, metaKeys.capabilities].filter((key) => meta[key] === undefined);
  return new RpcError(RpcCode.invalidParams, `Invalid params: _meta lacks ${missing.join(' and ')}`);
}

function standardHeaders(
  method: string,
  params: Record<string, unknown>,
  headers: McpHeaders,
): RpcError | undefined {
  if (headers.method !== method) return mismatch('Mcp-Method', headers.method, method);
  const field = nameFields[method];
  if (field === undefined) return undefined;
  const value = params[field];
  if (typeof value !== 'string' || headerSays(headers.name, value)) return undefined;
  return mismatch('Mcp-Name', headers.name, value);
}

function mismatch(header: string, given: string, expected: string): RpcError {
  const said = given === '' ? 'is missing' : `is '${given.slice(0, longestQuote)}'`;
  const message = `Header mismatch: ${header} ${said}, and the body says '${expected.slice(0, longestQuote)}'`;
  return new RpcError(StatelessCode.headerMismatch, message);
}
