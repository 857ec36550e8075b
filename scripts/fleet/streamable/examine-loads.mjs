// What a server of Streamable HTTP does with many calls and many sessions at once: counts, never rates.
import { messagesOf } from './raw-connection.mjs';
import { ask, callOf, openSession, post, postAlone } from './raw-session.mjs';
import { brief, tallyOf } from './words.mjs';

/** Counts of calls answered, lost, doubled and misrouted under several kinds of burst. */
export async function loads(url, era, calls) {
  const facts = {
    oneAfterAnother200: await oneAfterAnother(url, era, calls.echo, 200),
    atOnce200: await atOnce(url, era, calls.echo, 200),
    hundredSessions: await hundredSessions(url, era, calls.echo),
  };
  if (calls.payload) {
    const large = { ...calls.payload, arguments: { bytes: 65_536 } };
    facts.payload64KiBAtOnce300 = await atOnce(url, era, large, 300);
    facts.payload1MiB = await bigAnswer(url, era, calls.payload);
  }
  if (calls.sleep) facts.sleepAtOnce400 = await atOnce(url, era, calls.sleep, 400);
  if (calls.counter) facts.counters = await counters(url, era, calls.counter);
  return facts;
}

async function oneAfterAnother(url, era, call, count) {
  const session = await openSession(url, era);
  let answered = 0;
  let release = 0;
  for (let n = 0; n < count; n += 1) {
    const answer = post(session, { id: n, ...callOf(call) });
    await answer.done;
    if (messagesOf(answer).some(({ id, result }) => id === n && result !== undefined)) answered += 1;
    const event = answer.events.find(({ message }) => message?.id === n);
    // The end of the body came later than the response in it.
    if (event && answer.endMs - event.atMs > 0.05) release += 1;
  }
  session.connection.close();
  return { answered, endedLaterThanResponse: release };
}

async function atOnce(url, era, call, count) {
  const session = await openSession(url, era);
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      postAlone(session, { id: n, ...callOf(call) }, { limitMs: 20_000 }),
    ),
  );
  session.connection.close();
  const seen = answers.map((answer, n) => {
    const own = messagesOf(answer).filter(({ id, result }) => id === n && result !== undefined).length;
    const foreign = messagesOf(answer).some(({ id, method }) => id !== n && method === undefined);
    return foreign ? 'foreign' : own === 1 ? 'answered' : own > 1 ? 'doubled' : brief(answer);
  });
  return tallyOf(seen);
}

async function hundredSessions(url, era, call) {
  const seen = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const session = await openSession(url, era, { limitMs: 60_000 });
      const answer = post(session, { id: n, ...callOf(call) });
      await answer.done;
      if (session.id !== undefined) {
        const deleted = ask(session, 'DELETE');
        await deleted.head;
        deleted.connection.close();
      }
      session.connection.close();
      return messagesOf(answer).some(({ id, result }) => id === n && result) ? 'answered' : brief(answer);
    }),
  );
  return tallyOf(seen);
}

async function bigAnswer(url, era, call) {
  const session = await openSession(url, era);
  const answer = post(session, { id: 'big', ...callOf({ ...call, arguments: { bytes: 1_048_576 } }) });
  await answer.done;
  session.connection.close();
  return { bodyBytes: answer.body.length, framing: answer.framing };
}

async function counters(url, era, call) {
  const counts = [];
  for (let s = 0; s < 2; s += 1) {
    const session = await openSession(url, era);
    for (let n = 0; n < 3; n += 1) {
      const answer = post(session, { id: n, ...callOf(call) });
      await answer.done;
      counts.push(messagesOf(answer).at(-1)?.result?.content?.[0].text ?? '–');
    }
    session.connection.close();
  }
  return counts.join(' ');
}
