// Looks at one running server of Streamable HTTP byte by byte, in each era it serves: the source of the tables in docs/real-servers.md.
import { setTimeout as delay } from 'node:timers/promises';
import { loads } from './examine-loads.mjs';
import { mistakes } from './examine-refusals.mjs';
import { messagesOf, openConnection, requestBytes } from './raw-connection.mjs';
import {
  ask,
  callOf,
  headersOf,
  initializeOf,
  openSession,
  post,
  postAlone,
  sessionsVersion,
  statelessVersion,
  textOf,
} from './raw-session.mjs';
import { brief, tallyOf } from './words.mjs';

/** Everything that can be seen of the server at `url`, by era; `calls` are those that its manifest names. */
export async function examineStreamable(url, calls, eras) {
  const facts = { detection: await detection(url) };
  for (const era of eras)
    facts[era] = {
      ...(era === 'sessions' ? await opening(url) : await discovery(url)),
      ...(await bodies(url, era, calls)),
      ...(await times(url, era, calls)),
      ...(await mistakes(url, era, calls)),
      ...(era === 'sessions' ? await ends(url, calls) : {}),
      ...(await loads(url, era, calls)),
      idleConnectionClosedAfterMs: await idle(url, era, calls),
    };
  return facts;
}

// What a client that does not know the server is told: the question of the stateless era first, then the older ones.
async function detection(url) {
  const fresh = { url, era: 'stateless', limitMs: 3000 };
  const old = { url, era: 'sessions', limitMs: 3000 };
  const get = ask(old, 'GET');
  await get.head;
  get.connection.close();
  const discover = await postAlone(fresh, { id: 'd', method: 'server/discover' });
  const newest = await postAlone(old, { id: 'i', ...initializeOf(statelessVersion) });
  return {
    get: brief(get),
    discover: brief(discover),
    supportedVersions: messagesOf(discover)[0]?.result?.supportedVersions,
    initializeWithNewest: `${newest.status}, ${messagesOf(newest)[0]?.result?.protocolVersion ?? brief(newest)}`,
  };
}

async function opening(url) {
  const session = await openSession(url, 'sessions');
  const { opening: opened, noted, id, version, connection } = session;
  const facts = {
    initialize: `${opened.status} ${kindOf(opened)}`,
    initializeHeaders: opened.headers,
    version,
    sessionId: id?.replaceAll(/[0-9a-f]/g, 'x') ?? 'none',
    initialized: brief(noted),
    initializePriming: primingOf(opened),
  };
  connection.close();
  return facts;
}

async function discovery(url) {
  const session = { url, era: 'stateless', limitMs: 3000 };
  const answer = await postAlone(session, { id: 'd', method: 'server/discover' });
  const list = await postAlone(session, { id: 'l', method: 'tools/list' });
  const { result } = messagesOf(list)[0] ?? {};
  return {
    discover: `${answer.status} ${kindOf(answer)}`,
    discoverHeaders: answer.headers,
    listTtlMs: result?.ttlMs,
    listCacheScope: result?.cacheScope,
    resultType: result?.resultType,
  };
}

// The form of twenty answers.
async function bodies(url, era, calls) {
  const session = await openSession(url, era);
  const kinds = [];
  const priming = [];
  let crlf = 0;
  let ids = 0;
  for (let n = 0; n < 20; n += 1) {
    const answer = post(session, { id: `b${n}`, ...callOf(calls.echo) });
    await answer.done;
    kinds.push(kindOf(answer));
    priming.push(...primingOf(answer));
    if (answer.isEvents && answer.body.includes('\r\n')) crlf += 1;
    if (answer.events.some((event) => event.id !== undefined && event.message !== undefined)) ids += 1;
  }
  const last = post(session, { id: 7, ...callOf(calls.echo) });
  await last.done;
  session.connection.close();
  const message = messagesOf(last).at(-1);
  return {
    bodies: tallyOf(kinds),
    priming: tallyOf(priming),
    bodiesWithCrlf: crlf,
    bodiesWithEventIds: ids,
    connectionsUsed: session.connection.closed ? 'closed by the server' : 'one, kept',
    result: JSON.stringify(message).slice(0, 300),
  };
}

const kindOf = (answer) => `${answer.isEvents ? 'SSE' : 'JSON'}, ${answer.framing}`;

const primingOf = ({ events }) =>
  events
    .filter(({ message }) => message === undefined)
    .map(({ part }) => part.replaceAll(/[0-9a-f-]{32,}[^\n]*/g, '…').replaceAll(/\r?\n/g, '⏎'));

// When the parts of a slow call's answer come, and in what order slow and fast calls on one connection are answered.
async function times(url, era, calls) {
  const session = await openSession(url, era);
  const ms = (value) => (value === undefined ? null : Math.round(value));
  const slow = [];
  for (let n = 0; n < 3; n += 1) {
    const answer = post(session, { id: `t${n}`, ...callOf(calls.sleep) });
    await answer.done;
    const response = answer.events.find(({ message }) => message?.id === `t${n}`);
    slow.push({ headMs: ms(answer.headMs), responseMs: ms(response?.atMs), endMs: ms(answer.endMs) });
  }
  const order = [];
  const requests = [calls.sleep, ...Array(4).fill(calls.echo)].map((call, n) => ({ id: n, ...callOf(call) }));
  const headers = requests.map((message) => headersOf(session, message));
  // All in one write.
  const bytes = requests.map((message, n) => requestBytes(url, 'POST', headers[n], textOf(session, message)));
  const pipelined = openConnection(url, { limitMs: 4000 });
  const answers = bytes.map((_, n) => pipelined.send(n === 0 ? Buffer.concat(bytes) : ''));
  answers.forEach((answer, n) => void answer.done.then((whole) => whole && order.push(n)));
  await Promise.all(answers.map(({ done }) => done));
  await delay(0);
  pipelined.close();
  session.connection.close();
  return {
    sleep300: slow,
    pipelinedSlowThenFour: `answered ${order.join(' ') || 'none'}${pipelined.closed && order.length < 5 ? ', closed' : ''}`,
    pipelinedEndMs: answers.map(({ endMs }) => ms(endMs)),
  };
}

// Session ids that are unknown, missing, or over; the GET stream; DELETE.
async function ends(url, calls) {
  const session = await openSession(url, 'sessions');
  const message = { id: 'e', ...callOf(calls.echo) };
  const stranger = { ...session, id: '00000000-0000-4000-8000-000000000000' };
  const facts = {
    unknownSession: brief(await postAlone(stranger, message)),
    noSession: brief(await postAlone({ ...session, id: undefined }, message)),
    noVersionHeader: brief(await postAlone({ ...session, version: undefined }, message)),
    unknownVersionHeader: brief(await postAlone({ ...session, version: '2000-01-01' }, message)),
  };
  const first = ask(session, 'GET');
  await first.head;
  const second = ask(session, 'GET');
  await second.head;
  facts.get = brief(first);
  facts.secondGet = brief(second);
  await delay(200);
  facts.getStreamBegins = first.events.map(({ part }) => part.slice(0, 60));
  for (const { connection } of [first, second]) connection.close();
  facts.unknownGet = brief(await headOf(ask(stranger, 'GET')));
  facts.delete = brief(await headOf(ask(session, 'DELETE')));
  facts.afterDelete = brief(await postAlone(session, message));
  facts.secondDelete = brief(await headOf(ask(session, 'DELETE')));
  session.connection.close();
  const early = await postAlone({ url, era: 'sessions', limitMs: 3000, version: sessionsVersion }, message);
  facts.callBeforeInitialize = brief(early);
  return facts;
}

async function headOf(answer) {
  await answer.head;
  await Promise.race([answer.done, delay(300)]);
  answer.connection.close();
  return answer;
}

async function idle(url, era, calls) {
  const session = await openSession(url, era);
  await post(session, { id: 'idle', ...callOf(calls.echo) }).done;
  const startMs = performance.now();
  const closed = new Promise((resolve) => session.connection.socket.once('close', () => resolve(true)));
  const wasClosed = await Promise.race([closed, delay(8000, false)]);
  session.connection.close();
  return wasClosed ? Math.round(performance.now() - startMs) : 'not within 8 s';
}
