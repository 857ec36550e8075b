import { missingField, wrongField } from '../protocol/bad-params.js';
import { RpcError } from '../protocol/json-rpc.js';
import { Template } from '../tools/template.js';
import { UriTemplate } from './uri-template.js';
import type { ResourceConfig } from '../config/offers-config.js';

const longestQuote = 200;
const builtIn: Record<string, ResourceConfig> = {
  'mock://config.json': {
    name: 'config.json',
    mimeType: 'application/json',
    description: 'Configuration file',
    text: '{"mock":true}',
  },
};

interface Pattern {
  readonly template: UriTemplate;
  readonly contents: Template;
}

/** The resources of a server: those of the configuration, or one of its own where there are none. */
export class ResourceShelf {
  readonly listJson: string;
  readonly templatesJson: string;
  private readonly fixed = new Map<string, string>();
  private readonly patterns: Pattern[] = [];

  constructor(configured: Readonly<Record<string, ResourceConfig>>) {
    const resources: object[] = [];
    const templates: object[] = [];
    const all = Object.keys(configured).length > 0 ? configured : builtIn;
    for (const [uri, settings] of Object.entries(all)) {
      const { text, blob, ...about } = settings;
      const contents = { uri: '', ...pick(about.mimeType), ...(blob === undefined ? { text } : { blob }) };
      if (uri.includes('{')) {
        templates.push({ uriTemplate: uri, ...about, name: about.name ?? uri });
        const filled = new Template({ ...contents, uri: '{{uri}}' });
        this.patterns.push({ template: new UriTemplate(uri), contents: filled });
      } else {
        const { name = uri, ...rest } = about;
        resources.push({ uri, name, ...rest });
        this.fixed.set(uri, JSON.stringify({ contents: [{ ...contents, uri }] }));
      }
    }
    this.listJson = JSON.stringify({ resources });
    this.templatesJson = JSON.stringify({ resourceTemplates: templates });
  }

  /** The result of `resources/read`; `notFoundCode` differs between the eras. */
  read({ uri }: Record<string, unknown>, notFoundCode: number): string | RpcError {
    if (uri === undefined) return missingField('uri');
    if (typeof uri !== 'string') return wrongField('uri', 'a string');
    const fixed = this.fixed.get(uri);
    if (fixed !== undefined) return fixed;
    for (const { template, contents } of this.patterns) {
      const params = template.match(uri);
      if (params !== undefined) return `{"contents":[${contents.render({ uri, params })}]}`;
    }
    return new RpcError(notFoundCode, `Resource not found: ${uri.slice(0, longestQuote)}`, { uri });
  }

  /** Whether there is a resource of that name, for who wants to be told of its changes. */
  has(uri: string): boolean {
    return this.fixed.has(uri) || this.patterns.some(({ template }) => template.match(uri) !== undefined);
  }
}

function pick(mimeType: string | undefined): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}
