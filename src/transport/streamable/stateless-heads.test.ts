import { expect, test } from 'vitest';
import type { MoreHeaders } from '../http/request-heads.js';
import { headerText, StatelessHeads } from './stateless-heads.js';
import type { StreamableWire } from './streamable-wire.js';

test.each([
  ['echo', 'echo'],
  ['my-hyphenated-tool', 'my-hyphenated-tool'],
  ['us west 1', 'us west 1'],
  ['', ''],
  [' us-west1', '=?base64?IHVzLXdlc3Qx?='],
  ['us-west1 ', '=?base64?dXMtd2VzdDEg?='],
  ['\tindented', '=?base64?CWluZGVudGVk?='],
  ['a\tb', '=?base64?YQli?='],
  ['line1\r\nline2', '=?base64?bGluZTENCmxpbmUy?='],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  // One that looks encoded would be decoded.
  ['=?base64?SGVsbG8=?=', '=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?='],
  ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
])('%j in a header is %j', (text, header) => expect(headerText(text)).toBe(header));

test('a head is put together once for each kind and path, and each time for a kind of one message', () => {
  const made: MoreHeaders[] = [];
  const wire = {
    postHead: (_path: string, headers: MoreHeaders) => `head ${made.push(headers)}`,
  } as unknown as StreamableWire;
  const heads = new StatelessHeads(wire, '2026-07-28');
  const kind = { method: 'tools/call', subject: 'echo', mirrored: [['Region', 'eu']], once: false } as const;
  expect(heads.headOf('/mcp', kind)).toBe('head 1');
  expect(heads.headOf('/mcp', kind)).toBe('head 1');
  expect(heads.headOf('/b', kind)).toBe('head 2');
  expect(heads.headOf('/mcp', kind)).toBe('head 1');
  expect(heads.headOf('/mcp', { ...kind, once: true })).toBe('head 3');
  expect(heads.headOf('/mcp', { method: 'tools/list', subject: null, mirrored: [], once: false })).toBe(
    'head 4',
  );
  expect(made[0]).toEqual([
    ['MCP-Protocol-Version', '2026-07-28'],
    ['Mcp-Method', 'tools/call'],
    ['Mcp-Name', 'echo'],
    ['Mcp-Param-Region', 'eu'],
  ]);
  expect(made[3]).toHaveLength(2);
});
