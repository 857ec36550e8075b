import { RpcCode, RpcError } from '../protocol/json-rpc.js';
import { missingField, wrongField } from '../tools/built-in-tools.js';
import type { PromptBox } from './prompt-box.js';
import type { ResourceBox } from './resource-box.js';

const mostValues = 100;
const longestQuote = 200;

/** The result of `completion/complete`: what begins with the text so far. */
export function complete(
  { ref, argument }: Record<string, unknown>,
  resources: ResourceBox,
  prompts: PromptBox,
): string | RpcError {
  if (ref === undefined) return missingField('ref');
  const { name, value } = (argument ?? {}) as { name?: unknown; value?: unknown };
  if (typeof name !== 'string') return missingField('argument.name');
  if (typeof value !== 'string') return wrongField('argument.value', 'a string');
  const { type, name: prompt, uri } = (ref ?? {}) as { type?: unknown; name?: unknown; uri?: unknown };
  let known: ReadonlyMap<string, readonly string[]> | undefined;
  if (type === 'ref/prompt') known = prompts.byName.get(prompt as string)?.values;
  else if (type === 'ref/resource') known = resources.values(uri as string);
  else return wrongField('ref.type', 'ref/prompt or ref/resource');
  if (known === undefined)
    return new RpcError(
      RpcCode.invalidParams,
      `Unknown reference: ${String(prompt ?? uri).slice(0, longestQuote)}`,
    );
  const values = (known.get(name) ?? []).filter((each) => each.startsWith(value));
  return JSON.stringify({
    completion: { values: values.slice(0, mostValues), total: values.length, hasMore: false },
  });
}
