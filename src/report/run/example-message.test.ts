import { expect, test } from 'vitest';
import { exampleMessage } from './example-message.js';

test.each([
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: \\"x\\""}}',
    'Method not found: "x" (-32601)',
  ],
  ['{"error":{"message":"busy","data":{"message":"no"}}}', 'busy'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"too long to be ke', 'too long to be ke (-1)'],
  [
    '{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"disk full\\nsorry"}],"isError":true}}',
    'disk full\nsorry',
  ],
  [
    '{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"fine"}]}}',
    '{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"fine"}]}}',
  ],
  ['{"error":{"code":1}}', '{"error":{"code":1}}'],
  ['{"error":{"message":""}}', '{"error":{"message":""}}'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1'],
  ['', ''],
])('%s', (example, message) => {
  expect(exampleMessage(example)).toBe(message);
});
