import { expect, it } from 'vitest';
import { compute } from './compute.js';
import { configuredTool } from './configured-tool.js';
import type { Session } from '../sessions/session.js';
import type { Tool } from './tool.js';

const base: Tool = {
  name: 'echo',
  description: 'says it again',
  inputSchema: { type: 'object', properties: {}, required: [] },
  returnType: 'str',
  run: (args) => JSON.stringify(args['message']),
};
const session = {} as Session;

it('answers the same whether or not it computes first', () => {
  for (const settings of [{}, { work: 0 }, { work: 5000 }])
    expect(configuredTool('echo', settings, base).run({ message: 'hi' }, session, 0)).toBe('"hi"');
  expect(configuredTool('new', { work: 10, result: [1] }).run({}, session, 0)).toBe('[1]');
});

it('really computes, and goes on from where it was', () => {
  const seen = new Set(Array.from({ length: 100 }, () => compute(3)));
  expect(seen.size).toBe(100);
});
