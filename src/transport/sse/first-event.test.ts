import { describe, expect, test } from 'vitest';
import { readFirstEvent } from './first-event.js';

describe('the first event tells the dialect', () => {
  test.each([
    ['endpoint', '/messages?sessionId=1-2', { dialect: 'classic', endpoint: '/messages?sessionId=1-2' }],
    [
      'endpoint',
      'http://h:1/mcp/message?sessionId=1',
      { dialect: 'rmcp', endpoint: 'http://h:1/mcp/message?sessionId=1' },
    ],
    ['endpoint', '/messages/?session_id=ab', { dialect: 'serena', endpoint: '/messages/?session_id=ab' }],
    [
      '',
      'http://h:1/messages/?session_id=ab',
      { dialect: 'serena', endpoint: 'http://h:1/messages/?session_id=ab' },
    ],
    [
      'endpoint',
      '{"endpoint":"http://h/messages?session_id=1","server_session_id":"1"}',
      { dialect: 'pymcp', endpoint: 'http://h/messages?session_id=1' },
    ],
    [
      'lifecycle',
      '{"jsonrpc":"2.0","method":"streamOpened","params":{}}',
      { dialect: 'workspace', endpoint: null },
    ],
  ])('%s %s', (event, data, read) => {
    expect(readFirstEvent(event, data)).toEqual(read);
  });

  test.each([
    ['message', '{"jsonrpc":"2.0","method":"notifications/message"}'],
    ['lifecycle', '{"jsonrpc":"2.0","method":"ping"}'],
    ['ping', '1'],
    ['', '{"jsonrpc":"2.0","method":"notifications/message"}'],
    ['endpoint', '{"no":"endpoint"}'],
    ['endpoint', '{broken'],
  ])('%s %s is waited past', (event, data) => {
    expect(readFirstEvent(event, data)).toBeNull();
  });
});
