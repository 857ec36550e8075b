import { adviseHttp } from '../http/advise-http.js';

/** What helps where no session became ready: see ShippedTransport. */
export function adviseStreamable(kind: string, message: string): string {
  if (kind === 'http 404') return '. Is the path right? Many servers use /mcp';
  if (kind === 'http 405') return '. This may be a server of HTTP+SSE (transport: sse)';
  if (kind === 'timeout') return ': it accepted the connection and did not answer initialize';
  return adviseHttp(kind, message);
}
