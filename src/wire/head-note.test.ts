import { expect, test } from 'vitest';
import { headNote } from './head-note.js';

const note = (status: number, headers: Record<string, string>): string =>
  headNote(status, {
    location: headers['location'] ?? '',
    get: (name) => headers[name],
  });

test.each<[number, Record<string, string>, string]>([
  [200, {}, ''],
  [202, { 'content-encoding': 'identity' }, ''],
  [202, { 'content-encoding': '' }, ''],
  // Not a redirect: the resource was made there.
  [201, { location: '/made' }, ''],
  [307, {}, ''],
  [307, { location: '/messages/' }, ', a redirect to /messages/, which is not followed'],
  [308, { location: 'https://h:8/sse?key=S' }, ', a redirect to https://h:8/sse…, which is not followed'],
  [301, { location: '/a#S' }, ', a redirect to /a…, which is not followed'],
  [301, { location: '//user:S@h/' }, ', a redirect to //h/…, which is not followed'],
  [301, { location: 'https://u:a@S@h/' }, ', a redirect to https://h/…, which is not followed'],
  [302, { location: '/\u009b2J\u00e9\ttab' }, ', a redirect to /?2J??tab, which is not followed'],
  [
    200,
    { 'content-encoding': 'gzip' },
    ', with Content-Encoding: gzip, which was not asked for and is not read',
  ],
  [
    200,
    { 'content-encoding': 'x\u009b' },
    ', with Content-Encoding: x?, which was not asked for and is not read',
  ],
])('%i %j', (status, headers, text) => {
  expect(note(status, headers)).toBe(text);
});

test('what is long is cut', () => {
  expect(note(302, { location: `/${'a'.repeat(60_000)}` }).length).toBeLessThan(300);
});
