import { chance, Choice } from './chance.js';
import type { PlannedCall } from './planned-call.js';
import type { Sender } from '../sessions/sender.js';
import type { Stats } from '../stats.js';
import type { Stream } from '../sessions/stream.js';
import type { Streams } from '../sessions/streams.js';

/** What delivery works with. */
export interface CallDeliveryParts {
  readonly seed: number;
  readonly stats: Stats;
  readonly streams: Streams;
  readonly sender: Sender;
  cutStream(stream: Stream): void;
}

/** Puts responses of calls where they shall go: home, astray, twice, nowhere. */
export class CallDelivery {
  constructor(private readonly parts: CallDeliveryParts) {}

  /** True if the response went to its own session's stream. */
  deliver(planned: PlannedCall, members: string): boolean {
    const { session, plan } = planned;
    if (session.streams.length === 0) {
      this.parts.stats.lateWrites++;
      planned.unsent('late');
      return false;
    }
    this.extras(planned);
    if (plan.delivery === 'lost' || plan.delivery === 'cut') {
      planned.inject(plan.delivery);
      planned.unsent();
      if (plan.delivery === 'cut') for (const stream of session.streams.slice()) this.parts.cutStream(stream);
      return false;
    }
    // Without another session there is nobody to misroute to: then the response goes where it belongs.
    const stranger = plan.delivery === 'misrouted' ? this.strangerTo(planned) : undefined;
    if (stranger === undefined) return this.home(planned, members);
    planned.inject('misrouted');
    if (!this.parts.sender.responseTo(stranger, members, -1, planned.record)) planned.unsent();
    return false;
  }

  private home(planned: PlannedCall, members: string): boolean {
    const { session, plan, record } = planned;
    const { sender, stats } = this.parts;
    const room = sender.room(session);
    if (room < 1) {
      sender.response(session, members);
      planned.unsent();
      return false;
    }
    if (plan.ack === 'after-event' && plan.ackFault) planned.inject(plan.ackFault);
    if (plan.result !== 'own') planned.inject(plan.result);
    if (plan.split) planned.inject('splitEvent');
    const twice = plan.delivery === 'duplicate';
    if (twice && room > 1) planned.inject('duplicate');
    sender.response(session, members, plan.split ? this.draw(planned, Choice.splitAt) : -1, record);
    if (twice && room > 1) sender.response(session, members);
    else if (twice) stats.queueDropped++;
    return true;
  }

  private extras(planned: PlannedCall): void {
    const { session, plan } = planned;
    if (plan.serverRequest) planned.inject('serverRequest');
    if (plan.push) planned.inject('push');
    for (const stream of session.streams) {
      if (plan.serverRequest) this.parts.sender.serverRequest(stream);
      if (plan.push) this.parts.sender.push(stream);
    }
  }

  /** Another session's stream on the same site; undefined where there is none. */
  private strangerTo(planned: PlannedCall): Stream | undefined {
    const { open } = this.parts.streams;
    const { session } = planned;
    const start = Math.floor(this.draw(planned, Choice.misroutedTo) * open.length);
    for (let step = 0; step < open.length; step++) {
      const stream = open[(start + step) % open.length]!;
      if (stream.session !== session && stream.session.site === session.site) return stream;
    }
    return undefined;
  }

  private draw({ session, call }: PlannedCall, choice: Choice): number {
    return chance(this.parts.seed, session.ordinal, call.ordinal, choice);
  }
}
