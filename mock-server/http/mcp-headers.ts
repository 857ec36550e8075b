/** The headers of a request that Streamable HTTP gives a meaning; '' for one that is not there. */
export class McpHeaders {
  accept = '';
  sessionId = '';
  protocolVersion = '';
  method = '';
  name = '';
  lastEventId = '';
  /** `Mcp-Param-…` by the rest of its name, in small letters. */
  params: Map<string, string> | null = null;

  /** Takes a header whose name, in small letters, begins with `mcp-`; false for one that has been there already. */
  put(name: string, value: string): boolean {
    if (name.startsWith('mcp-param-')) {
      this.params ??= new Map();
      const param = name.slice('mcp-param-'.length);
      if (this.params.has(param)) return false;
      this.params.set(param, value);
      return true;
    }
    const key = known[name];
    if (key === undefined) return true;
    if (this[key] !== '') return false;
    this[key] = value;
    return true;
  }
}

const known: Record<string, 'sessionId' | 'protocolVersion' | 'method' | 'name'> = {
  'mcp-session-id': 'sessionId',
  'mcp-protocol-version': 'protocolVersion',
  'mcp-method': 'method',
  'mcp-name': 'name',
};
