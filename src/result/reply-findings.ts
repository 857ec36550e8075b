import type { Note, Oddities, Replies, SessionTotals } from './result.js';
import { formatAmount } from './units.js';

/** What is noteworthy about a server of Streamable HTTP: what its replies were, and what it does with sessions. */
export function replyFindings({
  replies,
  oddities,
  sessions,
}: {
  readonly replies: Replies | null;
  readonly oddities: Oddities;
  readonly sessions: SessionTotals;
}): Note[] {
  if (replies === null) return [];
  return [
    ...forgotten(oddities.sessionLost ?? 0),
    ...left(replies, sessions),
    ...misnamed(replies),
    ...notResumed(replies),
  ];
}

function forgotten(count: number): Note[] {
  if (count === 0) return [];
  return [
    {
      code: 'sessions-forgotten',
      message: `${formatAmount(count, 'session was', 'sessions were')} forgotten by the server while in use: the calls that noticed it failed, and were not sent again. Does it expire sessions too early, or keep each in only one of several processes?`,
    },
  ];
}

function left({ deleteRefused, left: gone }: Replies, { abandoned }: SessionTotals): Note[] {
  const count = deleteRefused + gone;
  if (count === 0) return [];
  const why = [
    deleteRefused > 0 ? `${deleteRefused} because it refused` : '',
    gone > 0
      ? `${gone} ${abandoned > 0 ? 'abandoned, or not answered in time' : 'not answered in time'}`
      : '',
  ].filter((part) => part !== '');
  return [
    {
      code: 'sessions-left',
      message: `${formatAmount(count, 'session')} ended without a DELETE that the server accepted (${why.join(', ')}): the server keeps such state until it expires. Watch its memory.`,
    },
  ];
}

function misnamed({ jsonAsEvents }: Replies): Note[] {
  if (jsonAsEvents === 0) return [];
  return [
    {
      code: 'json-as-events',
      message: `${formatAmount(jsonAsEvents, 'reply was', 'replies were')} declared as text/event-stream but contained JSON: clients cannot read a response from that.`,
    },
  ];
}

function notResumed({ resumed, resumeRefused }: Replies): Note[] {
  if (resumeRefused === 0) return [];
  return [
    {
      code: 'resumptions-refused',
      message: `${resumeRefused} of ${formatAmount(resumed, 'resumption')} refused: the server gives its events ids, ends replies before their response, and does not resume after those ids.`,
    },
  ];
}
