import type { Plan, PostsPlan } from '../../scenario/plan.js';
import { noTraffic } from '../traffic.js';
import type { Turn } from '../turn.js';
import { parseTarget } from './address.js';
import { ConnectGate } from './connect-gate.js';
import type { Wiring } from './connection.js';
import { IdleLimit } from './idle-limit.js';
import { makePeer } from './make-peer.js';

// Below the listen queues in use: 511 in Node, 512 in uWebSockets, 100 in some Python servers' defaults.
const connectsUnderWay = 96;

/** What all connections of one worker of a plan share. `ip` is what the target's host name stands for. */
export function makeWiring(plan: Plan, ip: string, turn: Turn): Wiring {
  const { address } = parseTarget(plan.target.url, plan.target.unixSocket);
  return {
    peer: makePeer(plan.target, plan.timeouts.connectNs, address, ip),
    gate: new ConnectGate(Math.max(8, Math.floor(connectsUnderWay / plan.workers))),
    traffic: noTraffic(),
    idleLimit: new IdleLimit(),
    turn,
  };
}

/** The POST policy, with one worker's share of what all of them share. */
export function postsOfWorker({ posts, workers }: Plan): PostsPlan {
  if (posts.mode !== 'shared') return posts;
  return { ...posts, connections: Math.max(1, Math.ceil(posts.connections / workers)) };
}
