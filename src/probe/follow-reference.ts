/** What a `$ref` within a document points at; undefined where that is nothing, or lies outside. */
export function followReference(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const key = decoded(step);
    if (key === null || typeof found !== 'object' || found === null || !Object.hasOwn(found, key))
      return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return typeof found === 'object' && found !== null ? found : undefined;
}

// Percent-encoded as a fragment, then escaped as a JSON pointer; null where it is neither.
function decoded(step: string): string | null {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return null;
  }
}
