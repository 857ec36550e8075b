import { describe, expect, test } from 'vitest';
import { coreOf } from '../core.fixture.js';
import { dialectNames } from './dialects/dialect.js';
import { presetNames, presets } from './presets.js';

// The bytes that each dialect and each preset puts on its stream for the same conversation, as they are kept in golden/.
const variants = [
  ...dialectNames.map((dialect) => ({ name: dialect as string, dialect, config: { dialect } })),
  // Those that have nothing of their own here are known for Streamable HTTP: see presets.test.ts there.
  ...presetNames
    .filter((like) => Object.keys(presets[like].wire).length > 0)
    .map((like) => ({ name: `like-${like}`, dialect: presets[like].dialect, config: { like } })),
];

describe.each(variants)('$name', ({ name, dialect, config }) => {
  test('writes the bytes of golden/', async () => {
    const { app, loop, open } = coreOf(config);
    const session = open(dialect === 'workspace' ? '/mcp/bench' : '/sse');
    const strings = dialect === 'workspace' || dialect === 'pymcp';
    const id = (n: number): string | number => (strings ? String(n) : n);
    const args = dialect === 'pymcp' ? 'kwargs' : 'arguments';
    const conversation: [method: string, params?: object, id?: number][] = [
      [
        'initialize',
        {
          protocolVersion: dialect === 'pymcp' ? '0.3.0' : '2024-11-05',
          capabilities: {},
          clientInfo: { name: 'c', version: '1' },
        },
        0,
      ],
      ['notifications/initialized'],
      ['tools/list', {}, 1],
      ['describe_tools', {}, 2],
      ['tools/call', { name: 'echo', [args]: { message: 'grüße\n"x" \u2028' } }, 3],
      ['tools/call', { name: 'echo', [args]: {} }, 4],
      ['tools/call', { name: 'nope', [args]: {} }, 5],
      ['tools/call', { name: 'fail', [args]: { message: 'broken' } }, 6],
      ['tools/call', { name: 'counter', [args]: {} }, 7],
      ['resources/read', { uri: 'mock://config.json' }, 8],
      ['prompts/get', { name: 'greet', arguments: { name: 'Ada' } }, 9],
      ['ping', undefined, 10],
    ];
    const answers: string[] = [];
    for (const [method, params, n] of conversation) {
      const replies = session.post({
        jsonrpc: '2.0',
        ...(n === undefined ? {} : { id: id(n) }),
        method,
        params,
      });
      loop.pass(5);
      answers.push(
        `${method}: ${replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`).join()}`,
      );
    }
    loop.pass(60_000);
    app.close('shutdown');
    const bytes = session.sink.text.replaceAll('\r', '\\r').replaceAll('\u2028', '\\u2028');
    await expect(
      `${answers.join('\n')}\n\n${bytes}<end of stream: ${session.sink.ended}>\n`,
    ).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});
