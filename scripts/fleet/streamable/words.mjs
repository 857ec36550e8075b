// What was seen, in a form to be read.
import { messagesOf } from './raw-connection.mjs';

/** An answer in a few words: its status, and the error, result or text in its body. */
export function brief(answer) {
  if (answer.status === undefined) return `no answer${answer.wasClosed ? ', closed' : ''}`;
  const [message] = messagesOf(answer).filter((each) => each.error || each.result);
  const { error, result } = message ?? {};
  const said = error
    ? `error ${error.code} ${shorten(error.message, 70)}${message.id === undefined ? ', no id' : `, id ${JSON.stringify(message.id)}`}`
    : result
      ? `result${result.isError ? ' isError' : ''}`
      : shorten(answer.body, 70);
  const form = answer.isEvents ? 'SSE' : answer.endMs === undefined ? 'open' : '';
  return [answer.status, form, said].filter((part) => part !== '').join(' ');
}

const shorten = (text, limit) => JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);

/** How often each text is in a list. */
export function tallyOf(texts) {
  const counts = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
