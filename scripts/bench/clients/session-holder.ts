import { nowNs } from '../../../src/clock.js';
import { programOptions, say } from '../child-program.js';
import { openRawSessions, type RawSession } from './raw-session.js';

// A program: opens sessions, each with a POST connection of its own, and holds them until it is stopped.

export interface HolderOptions {
  readonly url: string;
  readonly sessions: number;
}

export interface HolderFigures {
  readonly ready: number;
  readonly failed: number;
  readonly openedMs: number;
}

const { url, sessions } = programOptions<HolderOptions>();
const startNs = nowNs();
const held: RawSession[] = [];
const failures = await openRawSessions(new URL(url), sessions, (session) => void held.push(session));
const openedMs = (nowNs() - startNs) / 1e6;
say({ ready: held.length, failed: failures.length, openedMs } satisfies HolderFigures);
process.once('SIGTERM', () => process.exit(0));
