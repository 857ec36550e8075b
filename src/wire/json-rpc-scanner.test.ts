import { expect, test } from 'vitest';
import { createEnvelope, isArray, scanEnvelope } from './json-rpc-scanner.js';

function scan(text: string) {
  const out = createEnvelope();
  const bytes = Buffer.from(`#${text}#`);
  scanEnvelope(bytes, 1, bytes.length - 1, out);
  return out;
}

test('tells a response, its id and a failed tool', () => {
  expect(
    scan('{"jsonrpc":"2.0","id":7,"result":{"content":[{"isError":true}],"isError":false}}'),
  ).toMatchObject({
    kind: 'response',
    idType: 'number',
    idNumber: 7,
    isError: false,
  });
  expect(scan('{"id":"a\\u0062","result":{"isError":true}}')).toMatchObject({
    idString: 'ab',
    isError: true,
  });
  expect(scan('{"id":1,"error":{"code":-32601,"message":"x"}}')).toMatchObject({
    kind: 'response',
    errorCode: -32601,
  });
  expect(isArray(Buffer.from(' [1]'), 0, 4)).toBe(true);
});
