import { STATUS_CODES } from 'node:http';

/** One HTTP answer, made ahead of time wherever possible. */
export interface HttpReply {
  readonly status: number;
  readonly statusLine: string;
  readonly contentType: string;
  readonly body: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly chunked: boolean;
}

/** Builds a reply; without a body it has no content type either. */
export function httpReply(
  status: number,
  body = '',
  contentType = 'text/plain',
  more: { headers?: [string, string][]; chunked?: boolean } = {},
): HttpReply {
  return {
    status,
    statusLine: `${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    contentType: body === '' ? '' : contentType,
    body,
    headers: more.headers ?? [],
    chunked: more.chunked ?? false,
  };
}
