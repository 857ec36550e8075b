/** Why a text is not the URL of a server: no URL at all, another scheme than http and https, a user or a password in it. */
export type UrlProblem = 'malformed' | 'scheme' | 'credentials';

/** Reads the URL of a server: the URL, or why it is none. */
export function readUrl(text: string): URL | UrlProblem {
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  return url.username === '' && url.password === '' ? url : 'credentials';
}
