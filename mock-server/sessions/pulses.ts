import type { MockConfig } from '../config/config.js';
import type { Loop } from '../time/loop.js';
import { Pulse } from './pulse.js';
import type { Sender } from './sender.js';
import type { Site } from '../protocol/site.js';
import type { Stream } from './stream.js';

/** All that a server sends by itself at regular times: keep-alives and pings of each site, and pushes. */
export function pulsesOf(
  config: MockConfig,
  sites: readonly Site[],
  loop: Loop,
  open: readonly Stream[],
  sender: Sender,
): Pulse[] {
  const pulses: Pulse[] = [];
  const add = (everyNs: number, site: Site | null, run: (stream: Stream) => void): void => {
    if (everyNs === 0) return;
    const ofSite = (stream: Stream): void => {
      if (stream.open && (site === null || stream.session.site === site)) run(stream);
    };
    pulses.push(new Pulse(loop, everyNs, open, ofSite));
  };
  for (const site of sites) {
    add(site.wire.keepAlive, site, (stream) => sender.keepAlive(stream));
    add(site.wire.serverPing, site, (stream) => sender.serverRequest(stream));
  }
  add(config.pushes.every, null, (stream) => sender.push(stream, config.pushes.bytes));
  return pulses;
}
