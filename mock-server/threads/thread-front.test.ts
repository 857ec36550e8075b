import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { MockConfigInput } from '../config/config.js';
import { coreOf } from '../core.fixture.js';
import type { HttpReply } from '../http/http-reply.js';
import type { Post } from '../http/post.js';
import { until } from '../raw-client.fixture.js';
import { sumStats } from './sum-stats.js';
import { ThreadFront } from './thread-front.js';
import { ThreadLink } from './thread-link.js';

const links: ThreadLink[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

const facts = { engine: 'uws', dialect: 'classic', threads: 2, seed: 1 };
const body =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}';

class TestPost implements Post {
  whenGone: (() => void) | undefined;
  readonly statuses: number[] = [];
  gone = false;

  answer({ status }: HttpReply): number {
    if (this.gone) return 0;
    this.statuses.push(status);
    return status;
  }

  /** Its client goes away. */
  leave(): void {
    this.gone = true;
    this.whenGone?.();
  }
}

/** Two threads without the threads: an open session on the first, and POSTs to it that land on the second. */
async function twoThreads(config: MockConfigInput) {
  const cores = [coreOf(config), coreOf(config)];
  const fronts = cores.map(({ app }, index) => new ThreadFront(app, true, facts, index));
  const { port1, port2 } = new MessageChannel();
  const [here, there] = fronts as [ThreadFront, ThreadFront];
  here.links = [undefined, new ThreadLink(port1, (message, from) => here.take(message, from))];
  there.links = [new ThreadLink(port2, (message, from) => there.take(message, from)), undefined];
  links.push(here.links[1]!, there.links[0]!);
  const session = cores[0]!.open();
  const { id } = session.stream.session;
  const route = cores[1]!.router.find('post', session.path, 'localhost', '', 'application/json');
  const stats = () => sumStats(fronts.map((front) => front.ownStats(false)));
  const land = (post: Post): void => there.receive(post, route, id, body, body.length);
  return { loop: cores[0]!.loop, session, stats, land };
}

test('a POST whose client has gone counts as aborted, whichever thread it landed on', async () => {
  const { loop, stats, land } = await twoThreads({ faults: { heldPost: { rate: 1, for: '1s' } } });
  const [stays, leaves] = [new TestPost(), new TestPost()];
  land(stays);
  land(leaves);
  await until(() => stats().calls.received === 2);
  leaves.leave();
  loop.pass(1000);
  await until(() => stays.statuses.length === 1);
  await until(() => stats().posts.aborted === 1);
  expect(leaves.statuses).toEqual([]);
  expect(stats().posts).toEqual({ received: 2, aborted: 1, byStatus: { 202: 1 } });
});

test('also one that is accepted where it landed, because that is certain', async () => {
  const { stats, land } = await twoThreads({});
  // What the second thread accepts by itself it knows from the first: until then it asks.
  const first = new TestPost();
  land(first);
  await until(() => first.statuses.length === 1);
  const [stays, leaves] = [new TestPost(), new TestPost()];
  leaves.gone = true;
  land(stays);
  land(leaves);
  expect(stays.statuses).toEqual([202]);
  await until(() => stats().calls.received === 3);
  expect(stats().posts).toEqual({ received: 3, aborted: 1, byStatus: { 202: 2 } });
});

test('nothing is kept of a POST that is never answered once its client has gone', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { stats, land } = await twoThreads({ faults: { unansweredPost: 1 } });
  const kept = Array.from({ length: 20 }, () => {
    const post = new TestPost();
    land(post);
    return new WeakRef(post);
  });
  await until(() => stats().injected.unansweredPost === 20);
  for (const post of kept) post.deref()!.leave();
  await until(() => {
    collectGarbage();
    return kept.every((post) => post.deref() === undefined);
  });
  expect(stats().posts).toEqual({ received: 20, aborted: 0, byStatus: {} });
}, 20_000);
