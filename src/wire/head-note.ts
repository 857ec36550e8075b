import type { ResponseHeaders } from './response-head.js';

const mostCharacters = 200;

/**
 * What the head of an answer says that explains why it is of no use: where a redirect leads, or how the body is encoded. It
 * completes a sentence such as `the POST was answered 307`, is one printable line, and '' nearly always.
 */
export function headNote(status: number, headers: Pick<ResponseHeaders, 'location' | 'get'>): string {
  if (status >= 300 && status < 400 && headers.location !== '')
    return `, a redirect to ${placeOf(headers.location)}, which is not followed`;
  const coding = contentCoding(headers);
  return coding === null
    ? ''
    : `, with Content-Encoding: ${printable(coding)}, which was not asked for and is not read`;
}

/** How a body is encoded; null where it is as it is. */
export function contentCoding(headers: Pick<ResponseHeaders, 'get'>): string | null {
  const coding = headers.get('content-encoding')?.trim() ?? '';
  return coding === '' || coding.toLowerCase() === 'identity' ? null : coding;
}

// Where it leads, without what may be a secret: who is let in, and what is asked for.
function placeOf(location: string): string {
  const place = location.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  return printable(place) + (place === location ? '' : '…');
}

function printable(text: string): string {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
  return shown.replace(/[^\x20-\x7e…]/g, '?');
}
