/** The messages that all clients of the benchmarks send, so that they give the server the same work. */
export const notification = '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}';

export const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

export const echoText = 'hello 0123456789abcdef';

export function echoCall(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"message":"${echoText}"}}}`;
}

export function initialize(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcp-bench-benchmarks","version":"1"}}}`;
}

/** A POST with that body, as bytes on the wire. */
export function postRequest(host: string, path: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
