const originNs = process.hrtime.bigint();

/** Nanoseconds of this process's monotonic clock, as an integer that a double holds exactly. */
export function nowNs(): number {
  return Number(process.hrtime.bigint() - originNs);
}
