/** Takes the key of a metric apart: `call.response{tool:echo}` is `call.response` of the tool `echo`. */
export function parseMetricKey(key: string): { name: string; tool: string | null } {
  const match = /^([^{]*)\{tool:([^]*)\}$/.exec(key);
  return match ? { name: match[1]!, tool: match[2]! } : { name: key, tool: null };
}

/** Puts the key of a metric together. */
export function metricKey(name: string, tool: string | null): string {
  return tool === null ? name : `${name}{tool:${tool}}`;
}
