import { expect, test } from 'vitest';
import { draftCommand } from './draft-command.js';

test('secrets of a command become variables of the environment', () => {
  expect(draftCommand(['node', 's.js', '--token', 'abc', '--api-key=def', '-v', '--token', 'ghi'])).toEqual({
    words: [
      'node',
      's.js',
      '--token',
      '{{env MCP_TOKEN}}',
      '--api-key={{env MCP_API_KEY}}',
      '-v',
      '--token',
      '{{env MCP_TOKEN_2}}',
    ],
    variables: { MCP_TOKEN: 'abc', MCP_API_KEY: 'def', MCP_TOKEN_2: 'ghi' },
  });
});
