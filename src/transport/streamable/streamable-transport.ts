import type { TargetPlan } from '../../scenario/plan.js';
import { parseTarget } from '../http/address.js';
import type { Traffic } from '../traffic.js';
import type { Channel, ChannelHandler, Transport } from '../transport.js';
import { EventReaders } from './event-readers.js';
import { StatelessHeads } from './stateless-heads.js';
import { type ChannelParts, StreamableChannel } from './streamable-channel.js';
import type { StreamableWire } from './streamable-wire.js';

/** Streamable HTTP: every message is a POST, and what answers it comes in its reply. */
export class StreamableTransport implements Transport {
  readonly replies = true;
  private readonly path: string;
  private readonly parts: ChannelParts;

  constructor(
    private readonly wire: StreamableWire,
    { url, unixSocket, protocol }: TargetPlan,
    /** There are no sessions, and so nothing that a server would know of one. */
    stateless: boolean,
  ) {
    this.path = parseTarget(url, unixSocket).path;
    this.parts = {
      wire,
      readers: new EventReaders(),
      farewells: new Set(),
      stateless: stateless ? new StatelessHeads(wire, protocol) : null,
    };
  }

  get traffic(): Traffic {
    return this.wire.traffic;
  }

  open(ordinal: number, handler: ChannelHandler): Channel {
    const path = this.path
      .replaceAll('{session}', String(ordinal))
      .replaceAll('%7Bsession%7D', String(ordinal));
    return new StreamableChannel(this.parts, path, handler);
  }

  async settle(): Promise<void> {
    await Promise.all([...this.parts.farewells].map((farewell) => farewell.over));
  }

  close(): void {
    for (const farewell of this.parts.farewells) farewell.end('left');
    this.wire.close();
  }
}
