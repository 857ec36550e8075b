import type { CompletionsConfig } from '../config/offers-config.js';
import { missingField, wrongField } from '../protocol/bad-params.js';
import type { RpcError } from '../protocol/json-rpc.js';

const mostValues = 100;

/** The result of `completion/complete`: of the configured values those that begin with what was typed. */
export function complete(configured: CompletionsConfig, params: Record<string, unknown>): string | RpcError {
  const { ref, argument } = params as {
    ref?: { type?: unknown; name?: unknown; uri?: unknown };
    argument?: { name?: unknown; value?: unknown };
  };
  if (typeof ref !== 'object' || ref === null) return missingField('ref');
  if (typeof argument !== 'object' || argument === null) return missingField('argument');
  const { type } = ref;
  if (type !== 'ref/prompt' && type !== 'ref/resource')
    return wrongField('ref', 'a ref/prompt or a ref/resource');
  const owner = type === 'ref/prompt' ? configured.prompts : configured.resources;
  const key = type === 'ref/prompt' ? ref.name : ref.uri;
  if (typeof key !== 'string' || typeof argument.name !== 'string') return missingField('name');
  const known = (Object.hasOwn(owner, key) ? owner[key]! : {}) as Record<string, string[]>;
  const all = Object.hasOwn(known, argument.name) ? known[argument.name]! : [];
  const typed = String(argument.value ?? '');
  const values = all.filter((value) => value.startsWith(typed));
  const completion = {
    values: values.slice(0, mostValues),
    total: values.length,
    hasMore: values.length > mostValues,
  };
  return JSON.stringify({ completion });
}
