/** What the `{{…}}` of a template can name: arguments of the call, answers of the client, and so on. */
export type TemplateContext = Readonly<Record<string, unknown>>;

const places = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** JSON with places such as `{{arguments.name}}` in its texts, filled for each use. */
export class Template {
  /** Its JSON, where there is nothing to fill. */
  private readonly fixed: string | undefined;

  constructor(private readonly value: unknown) {
    const json = JSON.stringify(value);
    this.fixed = json.includes('{{') ? undefined : json;
  }

  /** The JSON text with all places filled; what a place names is shown as text, and as its JSON where it is none. */
  render(context: TemplateContext): string {
    return this.fixed ?? JSON.stringify(filled(this.value, context));
  }
}

function filled(value: unknown, context: TemplateContext): unknown {
  if (typeof value === 'string') return value.replaceAll(places, (_, path: string) => textAt(context, path));
  if (Array.isArray(value)) return value.map((one) => filled(one, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, context)]));
}

function textAt(context: TemplateContext, path: string): string {
  let value: unknown = context;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return '';
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
