import type { ScenarioInput } from '../../src/scenario/schema.js';

/** One of the two servers that are compared. */
export type Side = 'A' | 'B';

/** What is run: one scenario against a mock as it is (A) and against the same mock slowed down (B). */
export interface Setting {
  readonly name: string;
  readonly title: string;
  /** What the two servers are, and why the difference between them is what it is said to be. */
  readonly about: string;
  readonly scenario: ScenarioInput;
  readonly mockArgs: Readonly<Record<Side, readonly string[]>>;
}
