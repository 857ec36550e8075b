import type { TargetPlan } from '../../scenario/plan.js';
import { type Address, parseTarget } from '../http/address.js';
import type { Traffic } from '../traffic.js';
import type { Channel, ChannelHandler, Transport } from '../transport.js';
import { SseChannel } from './sse-channel.js';
import type { SseWire } from './sse-wire.js';

/** HTTP+SSE: a GET per session for its events, POSTs for its messages. */
export class SseTransport implements Transport {
  readonly replies = true;
  private readonly address: Address;
  private readonly path: string;
  private readonly allowForeign: boolean;

  constructor(
    private readonly wire: SseWire,
    { url, unixSocket, allowForeignEndpoint }: TargetPlan,
  ) {
    const { address, path } = parseTarget(url, unixSocket);
    this.address = address;
    this.path = path;
    this.allowForeign = allowForeignEndpoint;
  }

  get traffic(): Traffic {
    return this.wire.traffic;
  }

  open(ordinal: number, handler: ChannelHandler): Channel {
    const path = this.path
      .replaceAll('{session}', String(ordinal))
      .replaceAll('%7Bsession%7D', String(ordinal));
    return new SseChannel(
      this.wire,
      { address: this.address, path, allowForeign: this.allowForeign },
      handler,
    );
  }

  // Streams are just closed.
  settle(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.wire.close();
  }
}
