import { expect, test } from 'vitest';
import { readServerInfo } from './server-info.js';

const info = { name: 'server', version: '1.2.3' };
const inMeta = 'io.modelcontextprotocol/serverInfo';

test.each([
  ['a result of initialize', { serverInfo: info }, info],
  ['a result of the stateless era', { _meta: { [inMeta]: info } }, info],
  ['one that says it twice', { serverInfo: info, _meta: { [inMeta]: { name: 'other' } } }, info],
  ['a name alone', { _meta: { [inMeta]: { name: 'server' } } }, { name: 'server', version: '' }],
  ['nothing of the kind', { _meta: {} }, null],
  ['no object', 'x', null],
  ['null', { _meta: null }, null],
  ['what is no text', { serverInfo: 5 }, { name: '', version: '' }],
])('%s', (_, result, expected) => {
  expect(readServerInfo(result)).toEqual(expected);
});
