import { adviseHttp } from '../http/advise-http.js';

/** What helps where no session became ready: see ShippedTransport. */
export function adviseSse(kind: string, message: string): string {
  if (kind === 'http 404') return '. Is the path right? Many servers use /sse';
  if (kind === 'timeout' && message.includes('opening'))
    return ': it accepted the connection and sent no endpoint event';
  return adviseHttp(kind, message);
}
