import type { DialectName } from '../scenario/plan.js';
import type { Exchange } from './exchange.js';
import type { ProbeSession } from './probe-session.js';
import { cut } from '../text/cut.js';

/** Which dialect a server speaks, and in what it differs from it. */
export interface DialectMatch {
  /** The one that `run` will speak with it. */
  readonly name: DialectName;
  /** Nothing differs: it is that dialect, and not only the best match. */
  readonly exact: boolean;
  readonly differences: readonly string[];
}

interface Looks {
  readonly firstEvent: string;
  readonly endpoint: 'relative' | 'absolute' | 'json' | 'none';
  readonly path: RegExp;
  readonly sessionId: RegExp;
  readonly acceptedBody: string;
  readonly responseEvent: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// As their documents have them; the endpoint of the classic dialect may be of either form.
const looks: Readonly<Record<DialectName, Looks>> = {
  classic: {
    firstEvent: 'endpoint',
    endpoint: 'relative',
    path: /\/messages$/,
    sessionId: uuid,
    acceptedBody: 'Accepted',
    responseEvent: 'message',
  },
  rmcp: {
    firstEvent: 'endpoint',
    endpoint: 'relative',
    path: /\/message$/,
    sessionId: uuid,
    acceptedBody: '',
    responseEvent: 'message',
  },
  serena: {
    firstEvent: '',
    endpoint: 'absolute',
    path: /\/messages\/$/,
    sessionId: /^[0-9a-f]{32}$/i,
    acceptedBody: 'Accepted',
    responseEvent: 'message',
  },
  workspace: {
    firstEvent: 'lifecycle',
    endpoint: 'none',
    path: /./,
    sessionId: /^$/,
    acceptedBody: '',
    responseEvent: 'response',
  },
  pymcp: {
    firstEvent: 'endpoint',
    endpoint: 'json',
    path: /\/messages$/,
    sessionId: uuid,
    acceptedBody: '',
    responseEvent: 'message',
  },
};

/** Compares what was seen of a server with the dialect that its first event gave it away as. */
export function matchDialect(session: ProbeSession, exchanges: readonly Exchange[]): DialectMatch {
  const name = session.dialect.name;
  const wanted = looks[name];
  const differences: string[] = [];
  const differs = (what: string, found: string, expected: string): void => {
    if (found !== expected) differences.push(`${what}: ${found || 'none'}, not ${expected || 'none'}`);
  };
  differs('first event', session.openingEvent.event, wanted.firstEvent);
  const form = endpointForm(session);
  if (!(name === 'classic' && form === 'absolute')) differs('endpoint', form, wanted.endpoint);
  const [path = '', query = ''] = session.endpointPath.split('?');
  if (wanted.endpoint !== 'none' && !wanted.path.test(path)) differences.push(`POSTs go to ${path}`);
  const id = /session_?id=([^&]*)/i.exec(query)?.[1] ?? '';
  if (!wanted.sessionId.test(id))
    differences.push(`session id: ${id === '' ? 'none' : `of the form ${cut(id, 40)}`}`);
  const accepted = exchanges.find(({ post }) => post.status !== null && post.status < 300)?.post;
  if (accepted !== undefined)
    differs('body of an accepted POST', shown(accepted.body), shown(wanted.acceptedBody));
  const event = exchanges.find(({ eventName }) => eventName !== null)?.eventName;
  if (event !== undefined && event !== null) differs('responses come as', event, wanted.responseEvent);
  return { name, exact: differences.length === 0, differences };
}

function endpointForm({ endpointGiven, openingEvent }: ProbeSession): Looks['endpoint'] {
  if (endpointGiven === null) return 'none';
  if (openingEvent.data.trim().startsWith('{')) return 'json';
  return /^https?:/i.test(endpointGiven) ? 'absolute' : 'relative';
}

function shown(body: string): string {
  return cut(body.trim(), 40);
}
