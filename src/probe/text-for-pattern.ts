import { acceptsText } from './accepts-text.js';

/** What to do with a pattern that takes too long, and how long a text may get. */
export interface PatternLimits {
  readonly mostCharacters: number;
  onSlow(pattern: string): never;
}

/**
 * A short text that a regular expression accepts, or null where none was found: simple patterns only (literals, classes, groups,
 * alternatives, quantifiers, anchors), and never one that the expression itself does not confirm.
 */
export function textForPattern(pattern: string, minLength: number, limits: PatternLimits): string | null {
  if (confirms(pattern, '', limits) === 'invalid') return null;
  for (const repeats of [0, 1, minLength]) {
    try {
      const text = new Writer(pattern, repeats, limits).write();
      if (text.length >= minLength && confirms(pattern, text, limits) === true) return text;
    } catch (error) {
      if (!(error instanceof TooClever)) throw error;
      return null;
    }
  }
  return null;
}

function confirms(pattern: string, text: string, limits: PatternLimits): boolean | 'invalid' {
  const accepted = acceptsText(pattern, text);
  return accepted === 'slow' ? limits.onSlow(pattern) : accepted;
}

class TooClever extends Error {}

const classes: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' };
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', '0': '\0' };
const deepestGroup = 50;
const candidates = 'aA0-_. zZ9/:@,;+*#!?()[]{}<>=~$%&|"\'';

/** Writes the first alternative of everything, open-ended repetitions as often as told beyond their minimum. */
class Writer {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly pattern: string,
    private readonly repeats: number,
    private readonly limits: PatternLimits,
  ) {}

  write(): string {
    const text = this.alternatives();
    if (this.at < this.pattern.length) throw new TooClever();
    return text;
  }

  private alternatives(): string {
    const first = this.sequence();
    while (this.pattern[this.at] === '|') {
      this.at++;
      this.sequence();
    }
    return first;
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at]!)) {
      const piece = this.piece();
      const times = this.times();
      if (piece === '' || times === 0) continue;
      if (text.length + piece.length * times > this.limits.mostCharacters) throw new TooClever();
      text += piece.repeat(times);
    }
    return text;
  }

  private piece(): string {
    const character = this.pattern[this.at++]!;
    switch (character) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '(':
        return this.group();
      case '[':
        return this.oneOfClass();
      case '\\':
        return this.escape();
      default:
        return character;
    }
  }

  private group(): string {
    const opening = /^\?(?::|<[A-Za-z_]\w*>)/.exec(this.pattern.slice(this.at));
    if (opening !== null) this.at += opening[0].length;
    else if (this.pattern[this.at] === '?') throw new TooClever();
    if (++this.depth > deepestGroup) throw new TooClever();
    const text = this.alternatives();
    this.depth--;
    if (this.pattern[this.at++] !== ')') throw new TooClever();
    return text;
  }

  private escape(): string {
    const character = this.pattern[this.at++] ?? '';
    if (character === 'b' || character === 'B') return '';
    if (character in controls) return controls[character]!;
    if (/[1-9kpPxuc]/.test(character)) throw new TooClever();
    return classes[character] ?? character;
  }

  // Whatever is between the brackets is left to the engine: the first likely character that it takes will do.
  private oneOfClass(): string {
    const start = this.at - 1;
    if (this.pattern[this.at] === '^') this.at++;
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']') {
      if (this.pattern[this.at] === '\\') this.at++;
      this.at++;
    }
    // One character against one class cannot take long.
    const accepts = new RegExp(`^${this.pattern.slice(start, ++this.at)}$`, 'u');
    const found = [...candidates].find((character) => accepts.test(character));
    if (found === undefined) throw new TooClever();
    return found;
  }

  private times(): number {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.pattern.slice(this.at));
    if (found === null) return 1;
    this.at += found[0].length;
    const [, sign, least, comma, most] = found;
    if (sign === '?') return 0;
    if (sign === '*') return this.repeats;
    if (sign === '+') return Math.max(1, this.repeats);
    if (comma === '') return Number(least);
    return Math.min(Math.max(Number(least), this.repeats), most ? Number(most) : Infinity);
  }
}
