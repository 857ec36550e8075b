import { MessageKind } from './json-rpc.js';
import { SessionState } from '../sessions/session.js';
import type { Session } from '../sessions/session.js';

/** What the handshake says to a message: go on, refuse it, end the session, or accept it and never answer. */
export type HandshakeVerdict = 'proceed' | 'refuse' | 'end' | 'hang';

/** Applies the rules of a session that is not ready yet, and notes what the message changes. */
export function handshake(session: Session, kind: MessageKind, method: string | undefined): HandshakeVerdict {
  const { dialect, wire } = session.site;
  if (session.state === SessionState.fresh) {
    if (method === 'initialize' && kind === MessageKind.request) return 'proceed';
    if (wire.beforeInitialize === 'end') return 'end';
    if (wire.beforeInitialize === 'error') {
      if (kind !== MessageKind.request) return 'proceed';
      return method === 'ping' && dialect.pingBeforeInitialize ? 'proceed' : 'refuse';
    }
  }
  if (method === 'notifications/initialized') {
    session.state = SessionState.ready;
    return 'proceed';
  }
  if (wire.initialized === 'required' && session.state === SessionState.initializeAnswered) return 'end';
  const isCall = method === 'tools/call' || method === 'callTool';
  return wire.initialized === 'gate' && isCall ? 'hang' : 'proceed';
}
