/** What is counted on stdin and stdout alone. Every key is documented in mock-server/README.md. */
export interface StdioCounts {
  /** Lines that came, empty ones not among them. */
  lines: number;
  /** Among them: too long, not JSON, no message. */
  tooLong: number;
  malformed: number;
  /** Lines on stdout that are not JSON. */
  noise: number;
  stderrBytes: number;
}

/** Counts that begin at zero. */
export function newStdioCounts(): StdioCounts {
  return { lines: 0, tooLong: 0, malformed: 0, noise: 0, stderrBytes: 0 };
}
