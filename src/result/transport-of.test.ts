import { expect, test } from 'vitest';
import { transportKinds } from '../transport/transport-kinds.js';
import { transportOf, varietyOf } from './transport-of.js';

test('a result says which transport it was made over', () => {
  expect(transportOf({ transport: 'sse' })).toBe(transportKinds.sse);
});

test('of a transport that only a newer version knows, all that any has may be in the result', () => {
  const { sse } = transportKinds;
  const kind = transportOf({ transport: 'carrier pigeon' as 'sse' });
  expect(kind).toMatchObject({ name: 'carrier pigeon', title: 'carrier pigeon' });
  expect(kind.steps).toEqual(expect.arrayContaining([...sse.steps]));
  expect(kind.marks).toEqual(expect.arrayContaining([...sse.marks]));
});

test('servers of HTTP+SSE differ by their dialect, and others by the revision of MCP', () => {
  const spoken = { dialect: 'rmcp', protocolVersion: '2025-11-25' } as const;
  expect(varietyOf({ ...spoken, transport: 'sse' })).toEqual({ name: 'dialect', value: 'rmcp' });
  for (const transport of ['streamable', 'carrier pigeon' as 'sse'] as const)
    expect(varietyOf({ ...spoken, transport })).toEqual({ name: 'protocol', value: '2025-11-25' });
});
