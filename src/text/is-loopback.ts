import { readUrl } from './read-url.js';

/** Whether a URL names this machine: by a loopback address, or as localhost. */
export function isLoopback(url: string): boolean {
  const read = readUrl(url);
  return typeof read === 'object' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(read.hostname);
}
