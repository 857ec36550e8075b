import { describe, expect, test } from 'vitest';
import { dialects } from './dialect.js';
import { answerServerRequest, cancelledMessage, initializeMessage, messageTemplate } from './messages.js';

const render = (
  method: string,
  tool: string | null,
  dialect: keyof typeof dialects,
  params: string,
): unknown => {
  const text = messageTemplate(method, tool, dialects[dialect]);
  return JSON.parse(text.beforeId + 7 + text.afterId + params + text.end);
};

describe('requests in each dialect', () => {
  test('a tool call', () => {
    expect(render('tools/call', 'ec"ho', 'classic', '{"a":1}')).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'ec"ho', arguments: { a: 1 } },
    });
    expect(render('tools/call', 'echo', 'pymcp', '{"a":1}')).toEqual({
      jsonrpc: '2.0',
      id: '7',
      method: 'tools/call',
      params: { name: 'echo', kwargs: { a: 1 } },
    });
  });

  test('any other method', () => {
    expect(render('resources/read', null, 'workspace', '{"uri":"x"}')).toEqual({
      jsonrpc: '2.0',
      id: '7',
      method: 'resources/read',
      params: { uri: 'x' },
    });
  });

  test('initialize says who we are and which protocol we speak', () => {
    expect(JSON.parse(initializeMessage(1, dialects.pymcp, '9.9.9'))).toEqual({
      jsonrpc: '2.0',
      id: '1',
      method: 'initialize',
      params: {
        protocolVersion: '0.3.0',
        capabilities: {},
        clientInfo: { name: 'mcp-bench', version: '9.9.9' },
      },
    });
  });

  test('a cancellation names the call as it was sent', () => {
    expect(JSON.parse(cancelledMessage(7, dialects.classic))).toMatchObject({ params: { requestId: 7 } });
    expect(JSON.parse(cancelledMessage(7, dialects.workspace))).toMatchObject({ params: { requestId: '7' } });
  });
});

test('server requests are always answered', () => {
  expect(JSON.parse(answerServerRequest('ping', '0'))).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  expect(JSON.parse(answerServerRequest('roots/list', '"a"'))).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    result: { roots: [] },
  });
  expect(JSON.parse(answerServerRequest('sampling/createMessage', '3'))).toMatchObject({
    id: 3,
    error: { code: -32601 },
  });
});
