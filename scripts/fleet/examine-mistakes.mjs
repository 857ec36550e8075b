// What a server answers to what it should not have been sent.
import { setTimeout as delay } from 'node:timers/promises';
import { brief, eventFor, initialize, ready, request, visible } from './examine-session.mjs';
import { closeSession, exchange, openSession, postBytes } from './raw-session.mjs';

/** One fact for each kind of mistake, from a wrong session to a body that is too large. */
export async function mistakes(url, dialect, calls) {
  const facts = {};
  const session = await ready(url, dialect);
  const to = session.endpoint;
  const call = calls.echo ?? calls.cheap;
  const good = request(dialect, 'good', call);
  const other = to.replace(/(session_?id=)[^&]+/i, '$100000000-0000-4000-8000-000000000000');
  const otherHex = to.replace(/(session_?id=)[^&]+/i, '$100000000000040008000000000000000');
  facts.unknownSession = brief(await exchange(other, [postBytes(other, good)]));
  facts.unknownSessionHex = brief(await exchange(otherHex, [postBytes(otherHex, good)]));
  const none = to.replace(/\?.*/, '');
  facts.noSession = brief(await exchange(none, [postBytes(none, good)]));
  facts.malformed = brief(await exchange(to, [postBytes(to, '{"jsonrpc":')]));
  facts.notJsonRpc = brief(await exchange(to, [postBytes(to, '{"a":1}')]));
  facts.batch = brief(await exchange(to, [postBytes(to, [{ ...good, id: 'batch' }])]));
  facts.wrongType = brief(
    await exchange(to, [postBytes(to, { ...good, id: 'type' }, { 'Content-Type': 'text/plain' })]),
  );
  const large = request(dialect, 'large', {
    ...call,
    arguments: { ...call.arguments, message: 'x'.repeat(4_300_000) },
  });
  facts.over4MiB = brief(await exchange(to, [postBytes(to, large)], { limitMs: 10_000 }));
  facts.foreignHostPost = brief(
    await exchange(to, [postBytes(to, { ...good, id: 'host' }, { Host: 'example.com' })]),
  );
  const strange = await openSession(url, { headers: { Host: 'example.com' }, limitMs: 1000 });
  facts.foreignHostStream = visible((strange.head || strange.stream.text).split('\r\n')[0]);
  closeSession(strange);
  facts.response = brief(await exchange(to, [postBytes(to, { jsonrpc: '2.0', id: 99, result: {} })]));
  facts.unknownTool = await eventFor(
    session,
    'tool',
    request(dialect, 'tool', { tool: 'nope', arguments: {} }),
  );
  facts.missingArgument = await eventFor(
    session,
    'missing',
    request(dialect, 'missing', { tool: call.tool, arguments: {} }),
  );
  facts.unknownMethod = await eventFor(session, 'method', {
    jsonrpc: '2.0',
    id: 'method',
    method: 'no/such',
  });
  facts.ping = await eventFor(session, 'ping', { jsonrpc: '2.0', id: 'ping', method: 'ping' });
  facts.secondInitialize = await eventFor(session, 'again', initialize('again'));
  facts.idNullEvents = session.events
    .filter(({ message }) => message && message.id === null)
    .map(({ part }) => visible(part));
  const early = await openSession(url);
  facts.beforeInitialize = await eventFor(early, 'early', request(dialect, 'early', call));
  facts.afterThat = `${early.closed ? 'stream ended' : 'stream open'}, initialize: ${await eventFor(early, 'late', initialize('late'))}`;
  closeSession(early);
  closeSession(session);
  await delay(300);
  facts.afterStreamClosed = brief(await exchange(to, [postBytes(to, good)]));
  return facts;
}
