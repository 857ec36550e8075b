import { complete } from './completions.js';
import { missingField, wrongField } from '../protocol/bad-params.js';
import type { RpcError } from '../protocol/json-rpc.js';
import type { Offers } from './offers.js';
import { logLevels } from '../tools/tool-script.js';

type Params = Record<string, unknown>;
type CommonMethod = (params: Params) => string | RpcError;

/** The requests that every server answers alike, apart from tools/call: their results as JSON, or an error. */
export function commonMethods(
  { tools, resources, prompts, completions }: Offers,
  resourceNotFound: number,
): Map<string, CommonMethod> {
  return new Map<string, CommonMethod>([
    ['ping', () => '{}'],
    [
      'tools/list',
      ({ cursor }) => tools.page(cursor) ?? wrongField('cursor', 'one that tools/list gave out'),
    ],
    ['resources/list', () => resources.listJson],
    ['resources/templates/list', () => resources.templatesJson],
    ['resources/read', (params) => resources.read(params, resourceNotFound)],
    ['prompts/list', () => prompts.listJson],
    ['prompts/get', (params) => prompts.get(params)],
    ['completion/complete', (params) => complete(completions, params)],
    ['logging/setLevel', setLevel],
  ]);
}

function setLevel({ level }: Params): string | RpcError {
  if (level === undefined) return missingField('level');
  return (logLevels as readonly unknown[]).includes(level) ? '{}' : wrongField('level', logLevels.join(', '));
}
