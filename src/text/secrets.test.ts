import { expect, test } from 'vitest';
import { namesSecret } from './secret-names.js';
import {
  keepWords,
  printableWords,
  hidden,
  hideCertain,
  holdsSecret,
  keepHeader,
  keepPem,
  keepSecret,
  keepUrl,
  redact,
  redactAll,
  redactGiven,
  withSecretsOf,
} from './secrets.js';

test.each([
  ['https://h/sse?api_key=S&tenant=t', 'https://h/sse?api_key=***&tenant=***'],
  ['http://user:pass@h:1/sse', 'http://***@h:1/sse'],
  ['http://us@er:pa@h:1/sse', 'http://***@h:1/sse'],
  ['no session with http://h/sse?k=v: refused', 'no session with http://h/sse?k=***: refused'],
  ['http://h/mcp/{session}?session={session}', 'http://h/mcp/{session}?session={session}'],
  [
    'http://h/s/3f0c9a4e1d2b4c6fa1e0aa/x/3f0c9a4e1d2b4c6fa1e0aa77b2/sse',
    'http://h/s/3f0c9a4e1d2b4c6fa1e0aa/x/***/sse',
  ],
  ['http://h/sse?x#token=S', 'http://h/sse?x#***'],
  ['http://h/sse?bare-secret&x', 'http://h/sse?***&x'],
  ['Location: /login?next=/a&token=S end', 'Location: /login?next=/a&token=*** end'],
  [
    'API_KEY=S node server.js --api-key=S --token S --port=3000',
    'API_KEY=*** node server.js --api-key=*** --token *** --port=3000',
  ],
  [
    'expected key=value, found Key=x (--sessions 5 --threshold x)',
    'expected key=value, found Key=x (--sessions 5 --threshold x)',
  ],
  ['http://127.0.0.1:3000/sse', 'http://127.0.0.1:3000/sse'],
  ['sessionId={{env X}}', 'sessionId={{env X}}'],
])('of %s is shown what is no secret', (text, shown) => expect(redact(text)).toBe(shown));

test('what has been kept is hidden in each form in which it may come back', () => {
  keepSecret('p ä/ss"w&rd+', 'secret');
  for (const form of [
    'p ä/ss"w&rd+',
    'P Ä/SS"W&RD+',
    encodeURIComponent('p ä/ss"w&rd+'),
    encodeURIComponent('p ä/ss"w&rd+').toLowerCase(),
    'p+%C3%A4%2Fss%22w%26rd%2B',
    'p ä/ss\\"w&rd+',
    'p ä/ss&quot;w&amp;rd+',
    Buffer.from('p ä/ss"w&rd+').toString('base64'),
  ])
    expect(redact(`before ${form} after`), form).toBe('before *** after');
});

test('of a header, what it is made of is hidden, too', () => {
  keepHeader('Authorization', `Basic ${Buffer.from('someone:open-sesame').toString('base64')}`);
  keepHeader('authorization', 'Bearer abcd.efgh.ijkl');
  keepHeader('Cookie', 'theme=dark; sid="c00kie-value"');
  keepHeader('X-Tenant', 'tenant-4711');
  expect(redact('someone:open-sesame or open-sesame')).toBe('*** or ***');
  expect(redact('token abcd.efgh.ijkl, c00kie-value of tenant-4711')).toBe('token ***, *** of ***');
  keepHeader('Host', 'mcp.example.com');
  expect(redact('mcp.example.com takes a Bearer token')).toBe('mcp.example.com takes a Bearer token');
});

test('of a URL, values are hidden wherever they come back; short ones only as words', () => {
  keepUrl('https://h/sse?key=a1b2&plain=visible-value&other=short&id={session}-suffix-long');
  expect(redact('a1b2 xa1b2x visible-value short -suffix-long')).toBe('*** xa1b2x *** short ***');
});

test('what is left of one that was cut is hidden', () => {
  keepSecret('half-of-it-is-enough', 'secret');
  expect(redact('error: half-of-it-is-eno…')).toBe('error: ***…');
  expect(redact('error: half-of…, and half-o… here, half way')).toBe('error: ***…, and ***… here, half way');
});

test('lines of a private key are hidden', () => {
  keepPem('-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49\nabc\n-----END PRIVATE KEY-----\n');
  expect(redact('MIGHAgEAMBMGByqGSM49AgEGCCqGSM49 and abc')).toBe(`${hidden} and abc`);
});

test('values keep their shape, and the names of their members', () => {
  keepSecret('deep-secret', 'secret');
  const value = { list: ['deep-secret', 1, null], 'a deep-secret': { x: true } };
  expect(redactAll(value)).toEqual({ list: ['***', 1, null], 'a deep-secret': { x: true } });
});

test('names that a server gives are redacted, and counts added up where they meet', () => {
  keepSecret('given-name-1', 'secret');
  keepSecret('given-name-2', 'secret');
  const counts = { 'x/given-name-1': 2, 'x/given-name-2': 3, ping: 1 };
  expect(redactGiven({ counts })).toEqual({ counts: { 'x/***': 5, ping: 1 } });
});

test('what only may be a secret and has no digit is hidden as a whole word, and what stands uncut is no beginning of it', () => {
  keepUrl('http://h/sse?mode=calendar&workspace=demo-workspace&id=tenant-4711');
  expect(redact('list_calendar_events calendars my-calendar')).toBe(
    'list_calendar_events calendars my-calendar',
  );
  expect(redact('calendar, xtenant-4711x')).toBe('***, x***x');
  expect(redact('mcp-demo')).toBe('mcp-demo');
  expect(redact('mcp-demo… demo-work…')).toBe('mcp-demo… ***…');
});

test('a name says that it names a secret by its words', () => {
  const secrets =
    'Authorization X-Auth auth_token apiKey api-key APIKEY x-apikey AWS_ACCESS_KEY_ID key password sessionId session-id sig dbpassword accesstoken';
  for (const name of secrets.split(' ')) expect(namesSecret(name), name).toBe(true);
  for (const name of ['author', 'keyspace', 'monkey', 'authority', 'keyword', 'design', 'tokenizer'])
    expect(namesSecret(name), name).toBe(false);
});

test.each([
  ['does not take "Authorization: Bearer S3cret"', 'does not take "Authorization: ***"'],
  [`"X-Api-Key: it's$open" and 'more'`, `"X-Api-Key: ***" and 'more'`],
  [
    '"Authorization: Bearer $TOKEN" or "token: {{env T}}"',
    '"Authorization: Bearer $TOKEN" or "token: {{env T}}"',
  ],
  ['does not take "X-Api-Key:opensesame"', 'does not take "X-Api-Key:***"'],
  ['headers: "Authorization Bearer abcdefghijkl": a name', 'headers: "Authorization Bearer ***": a name'],
  ['headers.Authorization Bearer abcdefghijkl: expected', 'headers.Authorization Bearer ***: expected'],
  ['Basic dXNlcjpwYXNz123 refused', 'Basic *** refused'],
  ['--header "Authorization: Bearer …"', '--header "Authorization: Bearer …"'],
  ['Bearer authentication, basic understanding', 'Bearer authentication, basic understanding'],
  ['target.token: expected a text', 'target.token: expected a text'],
])('of the mistyped header in %s no secret is shown', (text, shown) => expect(redact(text)).toBe(shown));

test('what is certainly a secret is told from what may be one', () => {
  keepSecret('certain-of-it', 'secret');
  keepSecret('perhaps-of-it', 'maybe');
  expect(['x certain-of-it', 'perhaps-of-it'].map(holdsSecret)).toEqual([true, false]);
  expect(hideCertain({ a: ['certain-of-it', 'perhaps-of-it', 5] })).toEqual({
    a: ['***', 'perhaps-of-it', 5],
  });
});

test('secrets of one stored result are hidden in no other', () => {
  const url = 'http://h/sse?mode=old-result-99';
  expect(withSecretsOf(url, () => redact('of old-result-99'))).toBe('of ***');
  expect(redact('of old-result-99')).toBe('of old-result-99');
});

test('the words of a command are shown without the values of options that are called a secret', () => {
  const words = [
    'node',
    'server.js',
    '--api-key',
    'k3y',
    '--verbose',
    '--token=t0k',
    'DB_PASSWORD=p',
    '--token',
    '--x',
    'http://u:pw@h/?a=b',
  ];
  expect(printableWords(words)).toEqual([
    'node',
    'server.js',
    '--api-key',
    '***',
    '--verbose',
    '--token=***',
    'DB_PASSWORD=***',
    '--token',
    '--x',
    'http://***@h/?a=***',
  ]);
});

test('what such options hold is hidden wherever it comes back', () => {
  keepWords([
    'node',
    's.js',
    '--api-key',
    'first-secret-word',
    'SOME_TOKEN=second-secret-word',
    'third-word-no-secret',
  ]);
  expect(redact('first-secret-word second-secret-word third-word-no-secret')).toBe(
    '*** *** third-word-no-secret',
  );
});

test('words that everybody may know are none', () => {
  for (const word of ['localhost', 'application/json', '2025-06-18', 'Bearer', 'abc'])
    keepSecret(word, 'secret');
  const text = 'localhost application/json 2025-06-18 Bearer abc';
  expect(redact(text)).toBe(text);
});

test('a text of a megabyte takes no longer than its length', () => {
  keepSecret('mmmmmmmmmmmmmmmmmmmmmmmm', 'secret');
  expect(redact('m'.repeat(1_000_000)).length).toBeLessThan(1_000_000);
  expect(redact('mmmm…'.repeat(200_000))).toContain('…');
  for (const text of [
    '--',
    'a.',
    'A',
    '?',
    '&',
    'a://.',
    '?a',
    '--a ',
    'A=',
    '/1a',
    ' ',
    '"a:',
    '"key: ',
    'basic a',
    'Bearer ',
  ])
    expect(redact(text.repeat(1_000_000 / text.length)).length).toBeGreaterThan(1000);
});
