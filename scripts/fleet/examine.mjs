// Looks at one running server byte by byte and says what it does: the source of the table in README.md.
import { setTimeout as delay } from 'node:timers/promises';
import { loads } from './examine-load.mjs';
import { mistakes } from './examine-mistakes.mjs';
import { answersTo, brief, initialize, initialized, ready, request, visible } from './examine-session.mjs';
import { closeSession, exchange, openPosts, openSession, postBytes, until } from './raw-session.mjs';

/** Everything that can be seen of the server at `url`; `dialect` is its manifest's, `calls` the ones its manifest names. */
export async function examine(url, { dialect, calls }) {
  return {
    ...(await handshake(url, dialect)),
    ...(await toolCalls(url, dialect, calls)),
    ...(await mistakes(url, dialect, calls)),
    ...(await loads(url, dialect, calls)),
    ...(await silence(url, dialect, calls)),
  };
}

// Half a minute of saying nothing: when an idle POST connection is closed, and what comes on the stream by itself.
async function silence(url, dialect, calls) {
  const session = await ready(url, dialect);
  const posts = openPosts(session.endpoint);
  await posts.post(request(dialect, 'idle', calls.echo ?? calls.cheap));
  await until(session, () => answersTo(session, 'idle').length > 0);
  const startMs = performance.now();
  const count = session.events.length;
  let closedAfterMs;
  posts.socket.on('close', () => (closedAfterMs ??= Math.round(performance.now() - startMs)));
  await delay(32_000);
  const came = [...session.events.slice(count), ...session.comments];
  const idlePostClosedAfterMs = closedAfterMs ?? 'not within 32 s';
  posts.socket.destroy();
  closeSession(session);
  return {
    idlePostClosedAfterMs,
    idleStream: came.map(({ part, atMs }) => `${((atMs - startMs) / 1000).toFixed(1)} s ${visible(part)}`),
    idleStreamClosed: session.closed,
  };
}

async function handshake(url, dialect) {
  const session = await openSession(url);
  const order = [];
  session.onEvent = ({ message }) => message?.id === 'init' && order.push('event');
  const onResponse = () => order.push('ack');
  const reply = await exchange(session.endpoint, [postBytes(session.endpoint, initialize())], { onResponse });
  const before = session.events.slice(1).filter(({ message }) => message?.id !== 'init');
  await until(session, () => answersTo(session, 'init').length > 0);
  const count = session.events.length;
  const second = await exchange(session.endpoint, [postBytes(session.endpoint, initialized)]);
  await delay(200);
  const result = answersTo(session, 'init')[0]?.message.result;
  const list = { jsonrpc: '2.0', id: 'list', method: dialect === 'pymcp' ? 'describe_tools' : 'tools/list' };
  await exchange(session.endpoint, [postBytes(session.endpoint, list)]);
  await until(session, () => answersTo(session, 'list').length > 0);
  const listed = answersTo(session, 'list')[0]?.message;
  closeSession(session);
  return {
    streamHead: session.head.split('\r\n'),
    firstEvent: visible(session.events[0]?.part ?? ''),
    firstEventEnds: visible(session.raw.slice(session.events[0].part.length).match(/^[\r\n]+/)?.[0] ?? ''),
    messageEvent: visible(session.events.find(({ message }) => message?.id === 'init')?.part ?? '', 60),
    lineEnds: lineEnds(session.raw),
    ack: brief(reply),
    ackHeaders: reply.responses[0]?.headers,
    initializeOrder: order.join(' then '),
    beforeInitializeAnswer: before.map(({ part }) => visible(part)),
    initializeResult: visible(JSON.stringify(result) ?? '', 400),
    initializedReply: brief(second),
    afterInitialized: session.events
      .slice(count)
      .filter(({ message }) => message?.id !== 'list')
      .map(({ part }) => visible(part)),
    tools: listed?.result?.tools?.map(({ name }) => name) ?? visible(JSON.stringify(listed) ?? ''),
  };
}

function lineEnds(raw) {
  const crlf = raw.split('\r\n').length - 1;
  return { crlf, lf: raw.split('\n').length - 1 - crlf };
}

async function toolCalls(url, dialect, calls) {
  const session = await ready(url, dialect);
  const facts = {};
  for (const [name, call] of Object.entries(calls)) {
    const reply = await exchange(session.endpoint, [
      postBytes(session.endpoint, request(dialect, name, call)),
    ]);
    await until(session, () => answersTo(session, name).length > 0);
    const answer = answersTo(session, name)[0];
    facts[`call ${name}`] = `${brief(reply)} → ${visible(JSON.stringify(answer?.message) ?? 'nothing', 200)}`;
  }
  if (calls.sleep) facts.sleepTimes = await timesOf(session, dialect, calls.sleep);
  facts.sequentialOrder = await orderOf(session, dialect, calls.echo ?? calls.cheap, 200);
  facts.unknownMethodOrder = await orderOf(session, dialect, undefined, 50);
  if (calls.counter) facts.counter = await counters(url, dialect, calls.counter);
  if (calls.payload) facts.payload1MiB = await bigAnswer(session, dialect, calls.payload);
  for (const [name, id] of [
    ['id 0', 0],
    ['id 1.5', 1.5],
    ['id ""', ''],
    ['id null', null],
  ]) {
    const reply = await exchange(session.endpoint, [
      postBytes(session.endpoint, request(dialect, id, calls.echo ?? calls.cheap)),
    ]);
    const came = await until(session, () => answersTo(session, id).length > 0, 500);
    facts[name] = `${brief(reply)}, ${came ? 'answered' : 'no event'}`;
  }
  closeSession(session);
  return facts;
}

// Whether the POST is held while the tool runs.
async function timesOf(session, dialect, call) {
  const posts = openPosts(session.endpoint);
  const startMs = performance.now();
  await posts.post(request(dialect, 'times', call));
  const ackMs = Math.round(performance.now() - startMs);
  await until(session, () => answersTo(session, 'times').length > 0);
  const eventMs = Math.round(performance.now() - startMs);
  posts.socket.destroy();
  return { ackMs, eventMs };
}

async function orderOf(session, dialect, call, count) {
  const seen = { eventFirst: 0, ackFirst: 0, unanswered: 0 };
  const posts = openPosts(session.endpoint);
  for (let n = 0; n < count && seen.unanswered < 5; n += 1) {
    const id = `order-${call?.tool}-${n}-${count}`;
    const order = [];
    session.onEvent = ({ message }) => message?.id === id && order.push('event');
    const message = call ? request(dialect, id, call) : { jsonrpc: '2.0', id, method: 'no/such' };
    if (await posts.post(message)) order.push('ack');
    await until(session, () => answersTo(session, id).length > 0, 3000);
    if (!order.includes('event')) seen.unanswered += 1;
    else seen[order[0] === 'event' ? 'eventFirst' : 'ackFirst'] += 1;
  }
  posts.socket.destroy();
  return seen;
}

async function counters(url, dialect, call) {
  const sessions = [await ready(url, dialect), await ready(url, dialect)];
  for (const [index, session] of sessions.entries())
    for (let n = 0; n < 3; n += 1) {
      await exchange(session.endpoint, [
        postBytes(session.endpoint, request(dialect, `count-${index}-${n}`, call)),
      ]);
      await until(session, () => answersTo(session, `count-${index}-${n}`).length > 0);
    }
  const seen = sessions.map(({ events }) =>
    events
      .filter(({ message }) => String(message?.id).startsWith('count-'))
      .map(({ message }) => `${message.id}=${message.result?.content?.[0].text ?? message.result}`),
  );
  sessions.forEach(closeSession);
  return seen;
}

async function bigAnswer(session, dialect, call) {
  await exchange(session.endpoint, [
    postBytes(session.endpoint, request(dialect, 'big', { ...call, arguments: { bytes: 1_048_576 } })),
  ]);
  const came = await until(session, () => answersTo(session, 'big').length > 0, 10_000);
  return came ? answersTo(session, 'big')[0].data.length : 'no answer';
}
