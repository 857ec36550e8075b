type Values = Readonly<Record<string, unknown>>;
const reference = /\$\{([\w.-]+)\}/g;

/** JSON with `${path.to.value}` in its texts, which are filled in each time; text without any is put together once. */
export class FillIn {
  private readonly fixed: string | undefined;

  constructor(private readonly template: unknown) {
    const json = JSON.stringify(template);
    this.fixed = json.includes('${') ? undefined : json;
  }

  /** The JSON text with these values: a text as it is, what is missing as nothing, anything else as its JSON. */
  json(values: Values): string {
    return this.fixed ?? JSON.stringify(fill(this.template, values));
  }
}

function fill(template: unknown, values: Values): unknown {
  if (typeof template === 'string')
    return template.replace(reference, (_, path: string) => textAt(values, path.split('.')));
  if (Array.isArray(template)) return template.map((each) => fill(each, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
}

function textAt(values: Values, path: readonly string[]): string {
  let at: unknown = values;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return '';
    at = (at as Values)[key];
  }
  return typeof at === 'string' ? at : (JSON.stringify(at) ?? '');
}
