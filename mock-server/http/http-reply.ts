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

// A reader takes what follows the head of these for the next answer.
const bodiless = [204, 205];

/** Builds a reply; without a body it has no content type either, and where the status allows none it has none. */
export function httpReply(
  status: number,
  body = '',
  contentType = 'text/plain',
  more: { headers?: [string, string][]; chunked?: boolean } = {},
): HttpReply {
  const text = bodiless.includes(status) ? '' : body;
  return {
    status,
    statusLine: `${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    contentType: text === '' ? '' : contentType,
    body: text,
    headers: more.headers ?? [],
    chunked: more.chunked ?? false,
  };
}
