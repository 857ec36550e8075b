/** What a client is given to do, one call at a time on each session. */
export interface PeerLoad {
  readonly sessions: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** For those that keep a pace; the others go flat out. */
  readonly perSecond?: number;
}

/** As fast as it can. */
export const flatOutLoad: PeerLoad = { sessions: 100, warmupSeconds: 1, seconds: 2 };

/** Each call takes the mock so long. */
export const latencyLoad = {
  sessions: 10,
  warmupSeconds: 0.5,
  seconds: 2,
  latencyMs: 20,
} satisfies PeerLoad & { latencyMs: number };

/** The mock stands still for one of the five measured seconds, two and a half after the first call. */
export const stallLoad = {
  sessions: 10,
  warmupSeconds: 1,
  seconds: 5,
  perSecond: 200,
  freeze: '2500ms,1s',
} satisfies PeerLoad & { freeze: string };

/** By arithmetic: of the calls due in five seconds a fifth meets the stall, and waits for a uniform 0 … 1 s. */
export const trueStallP99Ms = 950;
