import { expect, it } from 'vitest';
import { EventReader } from './event-reader.js';

it('reads events however they are cut', () => {
  const bytes = Buffer.from('event: endpoint\ndata: /m?s=1\n\nevent: message\ndata: {"id":1}\n\n');
  for (let cut = 0; cut <= bytes.length; cut++) {
    const seen: string[] = [];
    const reader = new EventReader((data, event) => seen.push(`${event} ${data}`));
    reader.feed(bytes.subarray(0, cut));
    reader.feed(bytes.subarray(cut));
    expect(seen).toEqual(['endpoint /m?s=1', 'message {"id":1}']);
  }
});
