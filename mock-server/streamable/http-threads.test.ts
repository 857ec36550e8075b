import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../raw-client.fixture.js';
import type { StatsSnapshot } from '../stats.js';
import { exchange, SessionClient, stateless } from './streamable-client.fixture.js';

const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;

// Sessions live on the thread where they began, and requests land on all of them.
describe('Streamable HTTP on several threads', () => {
  let served: ChildProcess;
  afterEach(async () => {
    served.kill('SIGTERM');
    if (served.exitCode === null) await once(served, 'exit');
  });
  const serve = async (...flags: string[]): Promise<string> => {
    served = spawn(process.execPath, [
      main,
      'serve-mock',
      '--port',
      '0',
      '--json',
      '--threads',
      '3',
      ...flags,
    ]);
    const [line] = (await once(createInterface({ input: served.stdout! }), 'line')) as [string];
    return (JSON.parse(line) as { urls: { streamable: string } }).urls.streamable;
  };
  const stats = async (url: string): Promise<StatsSnapshot> =>
    JSON.parse((await exchange(new URL('/stats', url).href, 'GET', undefined).whole()).text) as StatsSnapshot;

  test.each(['auto', 'sse'])(
    'sessions are served wherever their requests land, with body: %s',
    async (body) => {
      const url = await serve('--set', `streamable.body=${body}`);
      const clients = await Promise.all(Array.from({ length: 4 }, () => SessionClient.open(url)));
      for (const client of clients) {
        const own = await client.get().begun();
        expect(own.status).toBe(200);
        const values = [];
        for (let call = 0; call < 6; call++) values.push((await client.call('counter')).value);
        expect(values).toEqual(['1', '2', '3', '4', '5', '6']);
        expect((await client.call('sleep', { ms: 3 })).value).toBe('slept 3 ms');
        expect((await client.get().whole()).status).toBe(409);
        expect((await client.end()).status).toBe(200);
        expect((await own.whole()).ended).toBe('good');
        expect((await client.ask('ping')).status).toBe(404);
      }
      for (let call = 0; call < 6; call++)
        expect(
          (await stateless(url, 'tools/call', { name: 'echo', arguments: { message: 'x' } }).whole()).value,
        ).toBe('x');
      const { streamable, calls, responsesSent } = await stats(url);
      expect(streamable).toMatchObject({
        sessionsCreated: 4,
        sessionsDeleted: 4,
        sessionsOpen: 0,
        getStreamsOpen: 0,
      });
      expect([calls.received, responsesSent]).toEqual([34, 38]);
    },
  );

  test('a client that leaves is noticed on the thread of its session', async () => {
    const url = await serve('--set', 'streamable.body=sse');
    const client = await SessionClient.open(url);
    const sleeping = Array.from({ length: 6 }, () => client.begin('sleep', { ms: 3_600_000 }));
    for (const one of sleeping) await one.begun();
    for (const one of sleeping) one.leave();
    await until(async () => (await stats(url)).lateWrites === 6);
  });

  test('the limit of sessions is that of the whole mock', async () => {
    const url = await serve('--set', 'limits.sessions=3');
    const clients = await Promise.all(Array.from({ length: 6 }, () => SessionClient.open(url)));
    expect(clients.filter(({ opening }) => opening.status === 200)).toHaveLength(3);
    expect((await stats(url)).streamable).toMatchObject({ sessionsOpen: 3, sessionsRefused: 3 });
  });
});
