import { z } from 'zod';
import { scenarioSchema } from './schema.js';

/** The JSON Schema of a scenario, for editors: completion, hover texts and red underlines while a scenario is written. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-7' });
  return { ...schema, title: 'mcp-bench scenario' };
}
