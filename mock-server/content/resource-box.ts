import type { ResourceConfig, ResourceTemplateConfig } from '../config/content-schema.js';
import { FillIn } from './fill-in.js';

interface Template {
  /** What stands before, between and after the variables. */
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly mimeType: string;
  readonly body: FillIn;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const builtIn: Record<string, ResourceConfig> = {
  'mock://config.json': {
    name: 'config.json',
    description: 'Configuration file',
    mimeType: 'application/json',
    text: '{"mock":true}',
  },
};

/** The resources of a server and their templates, built-in and configured. */
export class ResourceBox {
  /** The members of the results of `resources/list` and `resources/templates/list`. */
  readonly list: string;
  readonly templateList: string;
  private readonly read: Map<string, string>;
  private readonly templates: ReadonlyMap<string, Template>;

  constructor(resources: Record<string, ResourceConfig>, templates: Record<string, ResourceTemplateConfig>) {
    const all = Object.entries({ ...builtIn, ...resources });
    const listed = all.map(([uri, resource]) => ({ uri, ...descriptionOf(uri, resource) }));
    const listedTemplates = Object.entries(templates).map(([uriTemplate, template]) => ({
      uriTemplate,
      ...descriptionOf(uriTemplate, template),
    }));
    this.list = `"resources":${JSON.stringify(listed)}`;
    this.templateList = `"resourceTemplates":${JSON.stringify(listedTemplates)}`;
    this.read = new Map(
      all.map(([uri, { mimeType, text, blob }]) => [uri, contents({ uri, mimeType, text, blob })]),
    );
    this.templates = new Map(
      Object.entries(templates).map(([uri, template]) => [uri, templateOf(uri, template)]),
    );
  }

  /** What may be completed in a URI template, by variable; undefined where there is no such template. */
  values(uriTemplate: string): ReadonlyMap<string, readonly string[]> | undefined {
    return this.templates.get(uriTemplate)?.values;
  }

  /** The members of the result of `resources/read`; undefined where there is no such resource. */
  contents(uri: string): string | undefined {
    const fixed = this.read.get(uri);
    if (fixed !== undefined) return fixed;
    for (const { literals, names, mimeType, body } of this.templates.values()) {
      const values = valuesIn(uri, literals);
      if (values === undefined) continue;
      const variables = Object.fromEntries(names.map((name, at) => [name, decoded(values[at]!)]));
      const { text, blob } = JSON.parse(body.json(variables)) as { text?: string; blob?: string };
      return contents({ uri, mimeType, text, blob });
    }
    return undefined;
  }
}

function descriptionOf(
  uri: string,
  { name, description, mimeType }: ResourceConfig | ResourceTemplateConfig,
): Record<string, string> {
  return {
    name: name ?? uri,
    description: description ?? `The resource ${uri} of the configuration.`,
    mimeType,
  };
}

function contents(one: {
  uri: string;
  mimeType: string;
  text?: string | undefined;
  blob?: string | undefined;
}): string {
  return `"contents":[${JSON.stringify(one)}]`;
}

function templateOf(uri: string, { mimeType, text, blob, values }: ResourceTemplateConfig): Template {
  const names = [...uri.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return {
    literals: uri.split(/\{\w+\}/),
    names,
    mimeType,
    body: new FillIn({ text, blob }),
    values: new Map(Object.entries(values)),
  };
}

// Each variable ends where what follows it first begins: a search back and forth could take for ever.
function valuesIn(uri: string, literals: readonly string[]): string[] | undefined {
  const last = literals.at(-1)!;
  if (!uri.startsWith(literals[0]!) || !uri.endsWith(last)) return undefined;
  const values: string[] = [];
  let from = literals[0]!.length;
  for (const literal of literals.slice(1, -1)) {
    const to = uri.indexOf(literal, from + 1);
    if (to < 0) return undefined;
    values.push(uri.slice(from, to));
    from = to + literal.length;
  }
  values.push(uri.slice(from, uri.length - last.length));
  return values.every((value) => value !== '' && !/[/?#]/.test(value)) ? values : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
