/** A URI with variables, such as `docs://{page}/text`. */
export class UriTemplate {
  /** What stands before, between and after the variables. */
  private readonly literals: readonly string[];
  private readonly names: readonly string[];

  constructor(template: string) {
    this.literals = template.split(/\{[^}]*\}/);
    this.names = [...template.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  }

  /**
   * The variables of a URI; undefined where it is none of these. Each variable ends where what follows it first begins: a search back and forth, as a
   * regular expression makes it, could take a URI of some kilobytes for ever.
   */
  match(uri: string): Record<string, string> | undefined {
    const { literals, names } = this;
    const last = literals.length - 1;
    const endAt = uri.length - literals[last]!.length;
    if (!uri.startsWith(literals[0]!) || !uri.endsWith(literals[last]!)) return undefined;
    const variables: Record<string, string> = {};
    let from = literals[0]!.length;
    for (const [at, name] of names.entries()) {
      const next = literals[at + 1]!;
      const to = at + 1 === last ? endAt : uri.indexOf(next, from + 1);
      const value = uri.slice(from, Math.max(to, 0));
      if (to <= from || value.includes('/')) return undefined;
      variables[name] = decoded(value);
      from = to + next.length;
    }
    return variables;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
