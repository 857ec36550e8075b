import { createEnvelope, scanEnvelope } from '../wire/json-rpc-scanner.js';
import { jsonExcess } from '../wire/json-excess.js';
import { cut, longestName } from '../text/cut.js';

/** A JSON-RPC message taken apart, as little as a probe needs. */
export type ReadMessage =
  | {
      readonly kind: 'response';
      readonly id: string | number | null;
      readonly body: Readonly<Record<string, unknown>>;
      readonly isVersion2: boolean;
      /** Why the body was left empty: it would have been too large. */
      readonly unread: string | null;
    }
  | {
      readonly kind: 'request';
      readonly id: unknown;
      readonly method: string;
      readonly isVersion2: boolean;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly isVersion2: boolean }
  | { readonly kind: 'malformed' };

const beginsAsMessage = /^[ \t\r\n]*[{[]/;

/** The messages of one event or body: one, or several where it is a batch; whatever is none is `malformed`. */
export function readMessages(text: string): ReadMessage[] {
  // Of a flood of what is none, an error for each would take a minute.
  if (!beginsAsMessage.test(text)) return [{ kind: 'malformed' }];
  const excess = jsonExcess(text);
  if (excess !== null) return [readEnvelope(text, excess)];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ kind: 'malformed' }];
  }
  return (Array.isArray(value) ? value : [value]).map(readOne);
}

function readOne(value: unknown): ReadMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'malformed' };
  const body = value as Record<string, unknown>;
  const { id, method } = body;
  const isVersion2 = body['jsonrpc'] === '2.0';
  if (typeof method === 'string') {
    const name = cut(method, longestName);
    return id === undefined
      ? { kind: 'notification', method: name, isVersion2 }
      : { kind: 'request', id, method: name, isVersion2 };
  }
  const isResponse = 'result' in body || 'error' in body;
  if (!isResponse || (typeof id !== 'string' && typeof id !== 'number' && id !== null && id !== undefined))
    return { kind: 'malformed' };
  return { kind: 'response', id: id ?? null, body, isVersion2, unread: null };
}

// What it is and to what it belongs can be had without building its contents.
function readEnvelope(text: string, unread: string): ReadMessage {
  const bytes = Buffer.from(text);
  const envelope = createEnvelope();
  scanEnvelope(bytes, 0, bytes.length, envelope);
  const { kind, idType, idNumber, idString, method, isVersion2 } = envelope;
  const id = idType === 'number' ? idNumber : idType === 'string' ? idString : null;
  if (kind === 'invalid') return { kind: 'malformed' };
  if (kind === 'response') return { kind, id, body: {}, isVersion2, unread };
  return kind === 'request' ? { kind, id, method, isVersion2 } : { kind, method, isVersion2 };
}
