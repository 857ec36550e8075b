import { noOddities } from './oddities.js';
import { Recorder } from '../stats/recorder.js';
import { Turn } from '../transport/turn.js';
import { BackgroundMessages } from './background-messages.js';
import type { SessionContext } from './client-session.js';
import { Correlator } from './correlator.js';
import { dialects } from './dialect.js';
import { MessageRouter } from './message-router.js';
import { ToldTransport } from './told-channel.fixture.js';

/** What the sessions of a worker share, over a transport that the test holds in its hand. */
export function toldContext(
  change: Partial<SessionContext> = {},
  phases = 1,
  operations = 1,
): SessionContext & { transport: ToldTransport } {
  const oddities = noOddities();
  return {
    dialectFor: (looks) => dialects[looks],
    listen: false,
    handshakeLimitNs: 10e9,
    owedLimitNs: 5e9,
    clientVersion: '1.2.3',
    recorder: new Recorder(phases, operations),
    oddities,
    correlator: new Correlator(0, 1),
    router: new MessageRouter(oddities),
    background: new BackgroundMessages(5e9),
    turn: new Turn(),
    ...change,
    transport: new ToldTransport(),
  };
}
