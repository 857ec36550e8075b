// What every part of an examination needs: messages, a ready session, and answers in a form to be read.
import { exchange, openSession, postBytes, until } from './raw-session.mjs';

const protocolVersion = '2025-06-18';

/** Text with its line ends and other odd characters visible, cut to a limit. */
export const visible = (text, limit = 160) =>
  JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);

/** The events of a session that answer this id. */
export const answersTo = (session, id) =>
  session.events.filter(({ message }) => message?.id === id && !message.method);

/** The first response of an exchange in a few words. */
export const brief = ({ responses: [response], closed, error }) =>
  response
    ? `${response.status} ${visible(response.body, 100)} (${response.framing})`
    : `no answer${closed ? `, closed ${error ?? ''}` : ''}`;

/** An initialize request. */
export function initialize(id = 'init') {
  const clientInfo = { name: 'examine', version: '1.0.0' };
  return {
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo },
  };
}

/** A tool call, as the dialect has it. */
export function request(dialect, id, { tool, arguments: args }) {
  const params = dialect === 'pymcp' ? { name: tool, kwargs: args } : { name: tool, arguments: args };
  return { jsonrpc: '2.0', id, method: 'tools/call', params };
}

/** The notification after it. */
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** A session that has shaken hands. */
export async function ready(url, dialect) {
  const session = await openSession(url, { limitMs: 60_000 });
  if (!session.endpoint) throw new Error(`${url} gave no endpoint within a minute`);
  await exchange(session.endpoint, [postBytes(session.endpoint, initialize())]);
  await until(session, () => answersTo(session, 'init').length > 0);
  if (dialect !== 'pymcp') await exchange(session.endpoint, [postBytes(session.endpoint, initialized)]);
  return session;
}

/** Posts a message and says what the POST got and what came on the stream. */
export async function eventFor(session, id, message) {
  const reply = await exchange(session.endpoint, [postBytes(session.endpoint, message)]);
  await until(session, () => answersTo(session, id).length > 0, 1000);
  const answer = answersTo(session, id)[0];
  return `${brief(reply)} → ${answer ? visible(JSON.stringify(answer.message), 220) : 'no event'}`;
}
