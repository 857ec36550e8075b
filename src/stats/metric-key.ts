/** A metric by its name, of one tool or of one phase where it is kept by those. */
export interface MetricKey {
  readonly name: string;
  readonly tool: string | null;
  readonly phase: string | null;
}

/**
 * Takes a key apart, as results hold it and as thresholds name it: `call.response{tool:echo,phase:main}`. A label's value goes up to the next label,
 * as the name of a tool may hold commas and braces; a key whose labels cannot be read is all name.
 */
export function parseMetricKey(key: string): MetricKey {
  const [, name, labels] = /^([^{}]+)\{(.*)\}\s*$/s.exec(key) ?? [];
  const found: Record<string, string> = {};
  for (const part of labels?.split(/,(?=[ \t]*(?:tool|phase)[ \t]*:)/) ?? []) {
    const [, label, value] = /^[ \t]*(tool|phase)[ \t]*:[ \t]*(.*?)[ \t]*$/s.exec(part) ?? [];
    if (label === undefined || !value) return { name: key, tool: null, phase: null };
    found[label] = value;
  }
  return { name: (name ?? key).trim(), tool: found.tool ?? null, phase: found.phase ?? null };
}

/** Puts the key of a metric together, as results hold it. */
export function metricKey(name: string, tool: string | null): string {
  return tool === null ? name : `${name}{tool:${tool}}`;
}
