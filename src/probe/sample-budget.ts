/** A schema asks for more than can be made up; the message says of what. */
export class SchemaTooLarge extends Error {}

/** Work that all tools of a server share, so that a thousand bad schemas take no longer than a few. */
export interface SharedEffort {
  steps: number;
  /** Patterns that may yet take too long to check. */
  slowPatterns: number;
}

/** As much work as the schemas of one server are worth: a second or two. */
export function sharedEffort(): SharedEffort {
  return { steps: 2_000_000, slowPatterns: 4 };
}

const most = { values: 5000, characters: 65_536, steps: 50_000 };

/** What the arguments of one tool may come to; each of its methods throws SchemaTooLarge when that is used up. */
export class SampleBudget {
  private values = 0;
  private characters = 0;
  private steps = 0;

  constructor(private readonly shared: SharedEffort) {}

  /** So much of a schema is looked at. */
  step(count = 1): void {
    this.steps += count;
    this.shared.steps -= count;
    if (this.steps > most.steps)
      throw new SchemaTooLarge('its schema refers to itself, or branches, too often to be followed');
    if (this.shared.steps < 0)
      throw new SchemaTooLarge('the schemas of the tools before it took all the time there is');
  }

  /** Values are made. */
  value(count = 1): void {
    this.values += count;
    if (this.values > most.values)
      throw new SchemaTooLarge(`its arguments would have more than ${shown(most.values)} values`);
  }

  /** A text of so many characters is made; refused before it is there. */
  text(length: number): void {
    this.characters += length;
    if (this.characters > most.characters)
      throw new SchemaTooLarge(
        `its arguments would have texts of more than ${shown(most.characters)} characters`,
      );
  }

  /** A pattern took too long. */
  slowPattern(pattern: string): never {
    this.shared.slowPatterns--;
    throw new SchemaTooLarge(`its pattern takes too long to check: ${cut(pattern, 80)}`);
  }

  /** Whether patterns are still checked at all. */
  checkPatterns(): void {
    if (this.shared.slowPatterns <= 0)
      throw new SchemaTooLarge('patterns are no longer checked: too many of them took too long');
  }
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
import { cut } from '../text/cut.js';
