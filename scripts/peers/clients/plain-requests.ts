import { openRawSessions, type RawSession } from '../../bench/clients/raw-session.js';
import { notification } from '../../bench/clients/messages.js';
import { streamableExchange } from '../../bench/clients/streamable-exchange.js';
import type { HttpTask } from './client-lines.js';

/** What a client that knows HTTP and no MCP is to send, again and again. */
export interface PlainRequests {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Without sessions whole calls. Over HTTP+SSE, where answers come on a stream that such a client does not read, notifications into
 * sessions that are opened here and stay open.
 */
export async function plainRequests({
  url,
  transport,
  sessions,
  tool,
  ...told
}: HttpTask): Promise<PlainRequests> {
  if (transport === 'stateless') {
    const { headers, textOf } = streamableExchange(url, {
      target: { transport: 'streamable', protocol: '2026-07-28' },
      sessions,
      load: { model: 'closed' },
      duration: '1s',
      calls: [{ tool, arguments: told.arguments as never }],
    });
    return { urls: [url], headers, body: textOf(100_000) };
  }
  if (transport !== 'sse') throw new Error(`plain requests know nothing of ${transport}`);
  const opened: RawSession[] = [];
  const [failure] = await openRawSessions(new URL(url), sessions, (session) => void opened.push(session));
  if (failure !== undefined) throw new Error(String(failure));
  return {
    urls: opened.map(({ path }) => new URL(path, url).href),
    headers: { 'Content-Type': 'application/json' },
    body: notification,
  };
}
