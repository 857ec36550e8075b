import type { DialectName } from '../../scenario/plan.js';
import { parseBounded } from '../../wire/parse-bounded.js';

/** What the first usable event of a stream says: the dialect by its looks, and where to post (null: to the stream's own path). */
export interface FirstEvent {
  readonly dialect: DialectName;
  readonly endpoint: string | null;
}

/** Reads an event as the first of a stream; null where it says nothing of the kind and the next one must be waited for. */
export function readFirstEvent(event: string, data: string): FirstEvent | null {
  if (event === 'lifecycle') {
    return /"method"\s*:\s*"streamOpened"/.test(data) ? { dialect: 'workspace', endpoint: null } : null;
  }
  if (event !== 'endpoint' && event !== '') return null;
  const text = data.trim();
  if (text.startsWith('{')) return event === 'endpoint' ? readJsonEndpoint(text) : null;
  if (event === '' && !/^(https?:\/\/|\/)\S+$/i.test(text)) return null;
  return { dialect: event === '' ? 'serena' : dialectOfEndpoint(text), endpoint: text };
}

function readJsonEndpoint(text: string): FirstEvent | null {
  try {
    const { endpoint } = parseBounded(text) as { endpoint?: unknown };
    return typeof endpoint === 'string' ? { dialect: 'pymcp', endpoint } : null;
  } catch {
    return null;
  }
}

function dialectOfEndpoint(endpoint: string): DialectName {
  if (/\/message\?sessionId=/.test(endpoint)) return 'rmcp';
  if (/[?&]session_id=/.test(endpoint)) return 'serena';
  return 'classic';
}
