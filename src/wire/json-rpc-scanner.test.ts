import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEnvelope, isArray, scanEnvelope } from './json-rpc-scanner.js';
import type { Envelope } from './json-rpc-scanner.js';

/** Scans the text between bytes that would spoil it, into an envelope that is full of something else. */
function scan(text: string | Buffer): Envelope {
  const out = createEnvelope();
  const old = Buffer.from(
    '{"jsonrpc":"2.0","id":"old","method":"old","result":{"isError":true},"error":{"code":9}}',
  );
  scanEnvelope(old, 0, old.length, out);
  const bytes = Buffer.concat([Buffer.from('{"id":7,'), Buffer.from(text), Buffer.from(',"a":1}')]);
  scanEnvelope(bytes, 8, bytes.length - 7, out);
  return out;
}

/** The same from JSON.parse, written apart from the scanner's own fallback. */
function judge(text: string | Buffer): Envelope {
  const out = createEnvelope();
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text).toString());
  } catch {
    return { ...out, reason: 'json' };
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { ...out, reason: 'not-an-object' };
  const message = value as Record<string, unknown>;
  const has = (name: string) => Object.hasOwn(message, name);
  const member = (object: unknown, name: string) =>
    object !== null && typeof object === 'object' && Object.hasOwn(object, name)
      ? (object as Record<string, unknown>)[name]
      : undefined;
  const { id, method } = message;
  const code = member(message['error'], 'code');
  if (has('id')) {
    if (id === null) out.idType = 'null';
    if (typeof id === 'number') Object.assign(out, { idType: 'number', idNumber: id });
    if (typeof id === 'string') Object.assign(out, { idType: 'string', idString: id });
  }
  out.method = typeof method === 'string' ? method : '';
  out.hasResult = has('result');
  out.hasError = has('error');
  out.errorCode = typeof code === 'number' ? code : NaN;
  out.isError = member(message['result'], 'isError') === true;
  out.inputRequired = member(message['result'], 'resultType') === 'input_required';
  out.isVersion2 = message['jsonrpc'] === '2.0';
  const wrong =
    has('id') && out.idType === 'none'
      ? 'id'
      : has('method') && typeof method !== 'string'
        ? 'method'
        : has('method') && (has('result') || has('error'))
          ? 'method-and-result'
          : has('method') && id === null
            ? 'id'
            : has('method')
              ? ''
              : has('result') && has('error')
                ? 'result-and-error'
                : !has('result') && !has('error')
                  ? 'no-result'
                  : has('error') && typeof code !== 'number'
                    ? 'error-code'
                    : has('result') && (id === undefined || id === null)
                      ? 'no-id'
                      : '';
  out.reason = wrong;
  if (wrong === '') out.kind = !has('method') ? 'response' : has('id') ? 'request' : 'notification';
  return out;
}

const invalid = { kind: 'invalid' } as const;
const cases: [string, Partial<Envelope>][] = [
  [
    '{"jsonrpc":"2.0","id":7,"result":{}}',
    { kind: 'response', idType: 'number', idNumber: 7, isVersion2: true },
  ],
  [
    '{"id":0,"result":null}',
    { kind: 'response', idType: 'number', idNumber: 0, hasResult: true, isVersion2: false },
  ],
  ['{"id":"7","result":[]}', { kind: 'response', idType: 'string', idString: '7' }],
  ['{"id":"","result":1}', { kind: 'response', idType: 'string', idString: '' }],
  ['{"id":"é\\u20ac\\"\\\\","result":1}', { idString: 'é€"\\' }],
  ['{"id":1.5,"result":1}', { idNumber: 1.5 }],
  ['{"id":-3,"result":1}', { idNumber: -3 }],
  ['{"id":12345678901234567890,"result":1}', { idNumber: Number('12345678901234567890') }],
  ['{"id":1e400,"result":1}', { idNumber: Infinity }],
  ['{"id":1,"result":{"isError":true}}', { kind: 'response', isError: true }],
  ['{"id":1,"result":{"isError":false}}', { isError: false }],
  ['{"id":1,"result":{"resultType":"input_required"}}', { inputRequired: true, isError: false }],
  ['{"id":1,"result":{"resultType":"complete"}}', { inputRequired: false }],
  ['{"id":1,"result":{"resultType":true,"isError":true}}', { inputRequired: false, isError: true }],
  ['{"id":1,"result":{"result\\u0054ype":"input\\u005frequired"}}', { inputRequired: true }],
  ['{"id":1,"result":{"a":{"resultType":"input_required"}}}', { inputRequired: false }],
  ['{"id":1,"result":{"resultType":"input_required"},"result":{}}', { inputRequired: false }],
  ['{"id":1,"result":{"isError":"true"}}', { isError: false }],
  ['{"id":1,"result":{"is\\u0045rror":true}}', { kind: 'response', isError: true }],
  ['{"id":1,"result":{"content":{"isError":true}}}', { isError: false }],
  ['{"id":1,"result":[{"isError":true}]}', { isError: false }],
  ['{"id":1,"isError":true,"result":{}}', { isError: false }],
  ['{"id":1,"result":{"isError":true,"isError":false}}', { isError: false }],
  ['{"id":1,"result":{"isError":true},"result":{}}', { isError: false, kind: 'response' }],
  ['{"id":1,"result":{"text":"{\\"isError\\":true}"}}', { isError: false }],
  ['{"id":1,"id":2,"result":0}', { idNumber: 2 }],
  ['{"id":1,"id":"b","result":0}', { idType: 'string', idString: 'b', idNumber: NaN }],
  ['{"id":1,"\\u0069d":3,"result":0}', { idNumber: 3 }],
  ['{"id":1,"error":{"code":-32601,"message":"m"}}', { kind: 'response', hasError: true, errorCode: -32601 }],
  ['{"id":null,"error":{"code":-32700}}', { kind: 'response', idType: 'null', errorCode: -32700 }],
  ['{"error":{"code":-32700}}', { kind: 'response', idType: 'none' }],
  ['{"id":1,"error":{"data":{"code":5}}}', { ...invalid, reason: 'error-code', idNumber: 1 }],
  ['{"id":1,"error":{"code":"5"}}', { ...invalid, reason: 'error-code' }],
  ['{"id":1,"error":null}', { ...invalid, reason: 'error-code' }],
  ['{"id":1,"error":"x"}', { ...invalid, reason: 'error-code' }],
  ['{"id":1,"result":{},"error":{"code":1}}', { ...invalid, reason: 'result-and-error', idNumber: 1 }],
  ['{"id":1}', { ...invalid, reason: 'no-result', idNumber: 1 }],
  ['{}', { ...invalid, reason: 'no-result' }],
  ['{"result":{}}', { ...invalid, reason: 'no-id' }],
  ['{"id":null,"result":{}}', { ...invalid, reason: 'no-id' }],
  ['{"id":true,"result":{}}', { ...invalid, reason: 'id' }],
  ['{"id":{},"result":{}}', { ...invalid, reason: 'id' }],
  ['{"id":3,"method":"ping"}', { kind: 'request', method: 'ping', idNumber: 3 }],
  [
    '{"method":"notifications/message","params":{"id":1}}',
    { kind: 'notification', method: 'notifications/message' },
  ],
  ['{"method":"a\\nb"}', { kind: 'notification', method: 'a\nb' }],
  ['{"method":7}', { ...invalid, reason: 'method', method: '' }],
  ['{"id":null,"method":"ping"}', { ...invalid, reason: 'id' }],
  ['{"id":1,"method":"ping","result":{}}', { ...invalid, reason: 'method-and-result' }],
  ['[]', { ...invalid, reason: 'not-an-object' }],
  ['"x"', { ...invalid, reason: 'not-an-object' }],
  ['null', { ...invalid, reason: 'not-an-object' }],
  ['-0.5e+10', { ...invalid, reason: 'not-an-object' }],
  ['', { ...invalid, reason: 'json' }],
  ['  ', { ...invalid, reason: 'json' }],
  ['{"id":1,"result":0', { ...invalid, reason: 'json', idType: 'none' }],
  ['{"id":1,"result":0}}', { ...invalid, reason: 'json' }],
  ['{"id":1,"result":0,}', { ...invalid, reason: 'json' }],
  ['{"id":01,"result":0}', { ...invalid, reason: 'json' }],
  ['{"id":1,"result":"a\nb"}', { ...invalid, reason: 'json' }],
  ["{'id':1}", { ...invalid, reason: 'json' }],
  ['\ufeff{"id":1,"result":0}', { ...invalid, reason: 'json' }],
];

describe('the envelope of', () => {
  test.each(cases)('%s', (text, expected) => {
    expect(scan(text)).toMatchObject(expected);
    expect(scan(text)).toEqual(judge(text));
  });
});

describe('malformed text is told as JSON.parse tells it', () => {
  const fragments = {
    numbers: [
      '-',
      '-a',
      '+1',
      '.5',
      '1.',
      '1.e3',
      '1e',
      '1e+',
      '00',
      '-01',
      '0x1',
      '1 2',
      '-0',
      '1E5',
      '0e-0',
      '1.5E-7',
    ],
    words: ['tru', 'trueX', 'nul', 'falsy', 'True', 'undefined', 'NaN', 'Infinity', 'null', 'true', 'false'],
    strings: [
      '"',
      '"\\',
      '"\\"',
      '"\\x41"',
      '"\\u12"',
      '"\\u12G4"',
      '"\\u00e9"',
      '"\\ud800"',
      '"\t"',
      '"\x7f"',
      '"\0"',
      '"\\/"',
    ],
    arrays: [
      '[',
      ']',
      '[1',
      '[1,',
      '[1,]',
      '[,1]',
      '[1 2]',
      '[]',
      '[[]',
      '[[]]',
      '[{}]',
      '[1}',
      '[\n1 ,\t2\r]',
    ],
    objects: [
      '{',
      '}',
      '{]',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '{"a":1,}',
      '{"a" 1}',
      '{a:1}',
      '{"a":1 "b":2}',
      '{"a"::1}',
      '{1:2}',
    ],
    others: ['/**/1', '1//', '\u00a01', '1\u2028', '\v1', '\f1', '{"a":1}x', '😀', '"😀"'],
  };
  test.each(Object.values(fragments).flat())('%s', (fragment) => {
    for (const text of [
      fragment,
      `{"id":1,"result":${fragment}}`,
      `{"id":${fragment},"result":1}`,
      `{"x":{"y":[${fragment}]}}`,
    ])
      expect([text, scan(text)]).toEqual([text, judge(text)]);
  });

  test('every prefix of a message', () => {
    const text =
      ' {"jsonrpc": "2.0", "id": -12.5e1, "result": {"content": [{"a\\u0041": "é"}, true, null], "isError": true}} ';
    const bytes = Buffer.from(text);
    for (let end = 0; end <= bytes.length; end++)
      expect([end, scan(bytes.subarray(0, end))]).toEqual([end, judge(bytes.subarray(0, end))]);
  });

  test.each([
    '{"id":"a\\n","error":{"code":-1e2,"x":[1,{}]},"z":null}',
    '{"jsonrpc":"2.0","id":70,"result":{"isError":true}}',
    '{"result":[],"jsonrpc":"2.0","id":0}',
  ])('with one byte changed: %s', (text) => {
    const bytes = Buffer.from(text);
    const wrong: unknown[] = [];
    for (let at = 0; at < bytes.length; at++)
      for (let byte = 0; byte < 256; byte++) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        if (JSON.stringify(scan(changed)) !== JSON.stringify(judge(changed)))
          wrong.push([at, byte, changed.toString()]);
      }
    expect(wrong).toEqual([]);
  });

  test('ids of any form where most messages have theirs', () => {
    const ids = [
      '0',
      '00',
      '01',
      '-0',
      '-7',
      '7.0',
      '7e1',
      '7x',
      '',
      ' 7',
      '7 ',
      '"7"',
      'null',
      'true',
      '[7]',
      '7]',
      '7,',
      '7"',
    ];
    for (const id of [...ids, '999999999999999', '9007199254740993', '9999999999999999', '1'.repeat(40)])
      for (const text of [
        `{"jsonrpc":"2.0","id":${id},"result":{}}`,
        `{"result":{},"jsonrpc":"2.0","id":${id}}`,
        `{"result":{},"jsonrpc":"2.0","id":${id}`,
        `{"id":"before","jsonrpc":"2.0","id":${id},"method":"m"}`,
        `{"jsonrpc":"2.0","id":${id},"id":"after","jsonrpc":"1.0","result":1}`,
      ])
        expect([text, scan(text)]).toEqual([text, judge(text)]);
  });

  test('every prefix of a long string at the very end of its memory', () => {
    const text = `{"id":1,"result":"${'x'.repeat(100)}\\n${'é'.repeat(50)}"}`;
    for (let length = 0; length <= Buffer.byteLength(text); length++) {
      const exact = Buffer.from(Uint8Array.from(Buffer.from(text).subarray(0, length)).buffer);
      const out = createEnvelope();
      scanEnvelope(exact, 0, length, out);
      expect([length, out]).toEqual([length, judge(exact)]);
    }
  });

  test('nothing is built of a value, however deep, beside names that are escaped', () => {
    const depth = 5_000_000;
    const text = `{"\\u0069d":7,"r\\u0065sult":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const bytes = Buffer.from(text);
    const before = process.memoryUsage();
    expect(scan(bytes)).toMatchObject({ kind: 'response', idNumber: 7, hasResult: true });
    const after = process.memoryUsage();
    // JSON.parse takes a hundred bytes for each of these levels.
    const bytesPerLevel =
      (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / depth;
    expect(bytesPerLevel).toBeLessThan(20);
  });

  test('any depth of nesting', () => {
    for (const depth of [1, 510, 511, 512, 513, 514, 5000])
      for (const text of [
        `${'['.repeat(depth)}1${']'.repeat(depth)}`,
        `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
        `${'['.repeat(depth)}1${']'.repeat(depth - 1)}`,
        `${'['.repeat(depth)}1${']'.repeat(depth + 1)}`,
      ]) {
        expect(scan(text)).toEqual(judge(text));
        expect(scan(`{"id":1,"result":${text}}`)).toEqual(judge(`{"id":1,"result":${text}}`));
      }
  });
});

const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r');
const keyText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '"id"',
      '"method"',
      '"result"',
      '"error"',
      '"jsonrpc"',
      '"code"',
      '"isError"',
      '"message"',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"\\u0069d"',
      '"metho\\u0064"',
      '"i\\u0064"',
      '"c\\u006fde"',
      '"isErro\\u0072"',
      '"__proto__"',
      '""',
    ),
  },
  { weight: 1, arbitrary: fc.string().map((text) => JSON.stringify(text)) },
);
const scalarText = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '0',
    '-0',
    '7',
    '"2.0"',
    '"2\\u002e0"',
    '-32601',
    '1e3',
    '"x"',
    '""',
    '"\\ud83d\\ude00"',
  ),
  fc.double().map((number) => (Number.isFinite(number) ? String(number) : '1e999')),
  fc.bigInt().map(String),
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);
const { value: valueText, object: objectText } = fc.letrec<{ value: string; object: string; array: string }>(
  (tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalarText, tie('object'), tie('array')),
    array: fc
      .tuple(space, fc.array(tie('value'), { maxLength: 3 }))
      .map(([gap, values]) => `[${gap}${values.join(`${gap},`)}${gap}]`),
    object: fc
      .tuple(space, fc.array(fc.tuple(keyText, tie('value')), { maxLength: 5 }))
      .map(
        ([gap, members]) =>
          `{${gap}${members.map(([key, value]) => `${key}${gap}:${gap}${value}${gap}`).join(`,${gap}`)}}`,
      ),
  }),
);

describe('agrees with JSON.parse on', () => {
  test('any message, in any order, with any spacing, escapes and repeated members', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: objectText }, valueText), space, (text, gap) => {
        expect(scan(gap + text + gap)).toEqual(judge(text));
      }),
      { numRuns: 5000 },
    );
  });

  test('any value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.json(), (id, result) => {
        const text = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
        expect(scan(text)).toEqual(judge(text));
        expect(scan(id)).toEqual(judge(id));
      }),
      { numRuns: 1000 },
    );
  });

  test('any message with a part cut out or put in', () => {
    const patch = fc.string({ unit: fc.constantFrom(...'{}[]":,\\u0e-+. \n\0xé'), maxLength: 3 });
    fc.assert(
      fc.property(objectText, fc.nat(500), fc.nat(4), patch, (text, at, remove, insert) => {
        const place = at % (text.length + 1);
        const damaged = text.slice(0, place) + insert + text.slice(place + remove);
        expect(scan(damaged)).toEqual(judge(damaged));
      }),
      { numRuns: 5000 },
    );
  });

  test('any bytes, also such that are no UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (noise) => {
        for (const text of [
          Buffer.from(noise),
          Buffer.concat([Buffer.from('{"id":"'), noise, Buffer.from('","result":1}')]),
          Buffer.concat([Buffer.from('{"'), noise, Buffer.from('":1,"method":"m"}')]),
        ])
          expect(scan(text)).toEqual(judge(text));
      }),
      { numRuns: 3000 },
    );
  });
});

test('tells an array by its first byte', () => {
  const at = (text: string) => isArray(Buffer.from(text), 0, Buffer.byteLength(text));
  expect([at('[]'), at(' \n[1]'), at('{}'), at('"["'), at(''), at('  ')]).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(isArray(Buffer.from('  ['), 0, 2)).toBe(false);
});
