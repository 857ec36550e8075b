/** A JSON-RPC message taken apart, as little as a probe needs. */
export type ReadMessage =
  | {
      readonly kind: 'response';
      readonly id: string | number | null;
      readonly body: Readonly<Record<string, unknown>>;
      readonly isVersion2: boolean;
    }
  | {
      readonly kind: 'request';
      readonly id: unknown;
      readonly method: string;
      readonly isVersion2: boolean;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly isVersion2: boolean }
  | { readonly kind: 'malformed' };

/** The messages of one event or body: one, or several where it is a batch; whatever is none is `malformed`. */
export function readMessages(text: string): ReadMessage[] {
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
    return id === undefined
      ? { kind: 'notification', method, isVersion2 }
      : { kind: 'request', id, method, isVersion2 };
  }
  const isResponse = 'result' in body || 'error' in body;
  if (!isResponse || (typeof id !== 'string' && typeof id !== 'number' && id !== null && id !== undefined))
    return { kind: 'malformed' };
  return { kind: 'response', id: id ?? null, body, isVersion2 };
}
