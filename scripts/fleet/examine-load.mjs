// What a server does with many calls and many sessions at once: counts, never rates.
import { setTimeout as delay } from 'node:timers/promises';
import { answersTo, initialize, initialized, ready, request } from './examine-session.mjs';
import { closeSession, exchange, openSession, postBytes, until } from './raw-session.mjs';

/** Counts of calls answered, lost, doubled and misrouted under several kinds of burst. */
export async function loads(url, dialect, calls) {
  const facts = {};
  const call = calls.echo ?? calls.cheap;
  facts.pipelined = await pipelined(url, dialect, calls.sleep ?? call, call);
  facts.atOnce200 = await atOnce(url, dialect, call, 200);
  facts.pipelined200 = await manyPipelined(url, dialect, call, 200);
  if (calls.sleep) facts.sleepAtOnce400 = await atOnce(url, dialect, calls.sleep, 400);
  if (calls.payload) {
    const large = { ...calls.payload, arguments: { bytes: 65_536 } };
    facts.payload64KiBAtOnce300 = await atOnce(url, dialect, large, 300);
    facts.slowReader300 = await atOnce(url, dialect, large, 300, { pauseMs: 2000 });
  }
  facts.twoSessions = await twoSessions(url, dialect, call);
  facts.hundredSessions = await hundredSessions(url, dialect, call);
  return facts;
}

// One slow call and four quick ones in a single write: who waits for whom, and does the connection live?
async function pipelined(url, dialect, slow, quick) {
  const session = await ready(url, dialect);
  const order = [];
  session.onEvent = ({ message }) => message?.id !== undefined && order.push(`event ${message.id}`);
  const requests = [slow, quick, quick, quick, quick].map((call, n) =>
    postBytes(session.endpoint, request(dialect, `p${n}`, call)),
  );
  const reply = await exchange(session.endpoint, requests, { onResponse: (_, n) => order.push(`ack p${n}`) });
  await until(session, () => [0, 1, 2, 3, 4].every((n) => answersTo(session, `p${n}`).length > 0), 2000);
  closeSession(session);
  return `${reply.responses.length} of 5 acks${reply.closed ? ', connection closed' : ''}: ${order.join(', ')}`;
}

async function manyPipelined(url, dialect, call, count) {
  const session = await ready(url, dialect);
  const ids = Array.from({ length: count }, (_, n) => `m${n}`);
  const requests = ids.map((id) => postBytes(session.endpoint, request(dialect, id, call)));
  const reply = await exchange(session.endpoint, requests, { limitMs: 15_000 });
  return { acks: reply.responses.length, closedByServer: reply.closed, ...(await tally(session, ids)) };
}

// With `pauseMs` the stream is not read for that long: what a server does once its buffers are full.
async function atOnce(url, dialect, call, count, { pauseMs = 0 } = {}) {
  const session = await ready(url, dialect);
  const ids = Array.from({ length: count }, (_, n) => `a${n}`);
  const early = new Set();
  const acked = new Set();
  session.onEvent = ({ message }) =>
    message?.id !== undefined && !acked.has(message.id) && early.add(message.id);
  const statuses = {};
  if (pauseMs > 0) session.stream.socket.pause();
  const sent = ids.map(async (id) => {
    const bytes = postBytes(session.endpoint, request(dialect, id, call));
    const onResponse = () => acked.add(id);
    const { responses } = await exchange(session.endpoint, [bytes], { limitMs: 15_000, onResponse });
    const status = responses[0]?.status ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  await delay(pauseMs);
  const ackedWhilePaused = pauseMs > 0 ? { ackedWhilePaused: acked.size } : {};
  session.stream.socket.resume();
  await Promise.all(sent);
  return { statuses, eventFirst: early.size, ...ackedWhilePaused, ...(await tally(session, ids)) };
}

async function tally(session, ids) {
  const wanted = new Set(ids);
  const count = () => {
    const seen = new Map();
    for (const { message } of session.events)
      if (wanted.has(message?.id)) seen.set(message.id, (seen.get(message.id) ?? 0) + 1);
    return seen;
  };
  // Slow is not lost: wait as long as answers keep coming.
  const startMs = performance.now();
  for (let before = -1; count().size > before && count().size < ids.length;) {
    before = count().size;
    await until(session, () => count().size === ids.length, 4000);
  }
  const answeredMs = Math.round(performance.now() - startMs);
  const seen = count();
  const duplicates = [...seen.values()].filter((n) => n > 1).length;
  const foreign = session.events.filter(
    ({ message }) =>
      message &&
      message.id !== undefined &&
      !message.method &&
      !wanted.has(message.id) &&
      message.id !== 'init',
  ).length;
  closeSession(session);
  return { answered: seen.size, waitedMs: answeredMs, missing: ids.length - seen.size, duplicates, foreign };
}

async function twoSessions(url, dialect, call) {
  const sessions = [await ready(url, dialect), await ready(url, dialect)];
  await Promise.all(
    sessions.flatMap((session, index) =>
      Array.from({ length: 50 }, (_, n) =>
        exchange(session.endpoint, [postBytes(session.endpoint, request(dialect, `s${index}-${n}`, call))]),
      ),
    ),
  );
  return Promise.all(
    sessions.map((session, index) =>
      tally(
        session,
        Array.from({ length: 50 }, (_, n) => `s${index}-${n}`),
      ),
    ),
  );
}

async function hundredSessions(url, dialect, call) {
  const counts = { ready: 0, answered: 0, tookMs: 0 };
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const session = await openSession(url, { limitMs: 60_000 });
      if (!session.endpoint) return;
      const post = (message) =>
        exchange(session.endpoint, [postBytes(session.endpoint, message)], { limitMs: 60_000 });
      await post(initialize());
      if (await until(session, () => answersTo(session, 'init').length > 0, 60_000)) counts.ready += 1;
      if (dialect !== 'pymcp') await post(initialized);
      await post(request(dialect, `h${n}`, call));
      if (await until(session, () => answersTo(session, `h${n}`).length > 0, 60_000)) counts.answered += 1;
      closeSession(session);
    }),
  );
  counts.tookMs = Math.round(performance.now() - startMs);
  return counts;
}
