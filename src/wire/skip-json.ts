/** The text is no JSON. */
export const MALFORMED = -1;
/** Nested too deeply for this scanner: ask JSON.parse. */
export const TOO_DEEP = -2;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const maxDepth = 512;

// 1 = ends or interrupts a string: the quote, the backslash, and the controls that JSON forbids in it.
const interruptsString = new Uint8Array(256).fill(1, 0, 32);
interruptsString[QUOTE] = 1;
interruptsString[BACKSLASH] = 1;
const isSimpleEscape = new Uint8Array(256);
for (const char of '"\\/bfnrt') isSimpleEscape[char.charCodeAt(0)] = 1;

// Whether the container at each depth is an object; shared, because nothing here is re-entrant.
const isObjectAt = new Uint8Array(maxDepth);

/** The first position from `at` on that is no JSON white space, at most `end`. */
export function skipSpace(buffer: Buffer, at: number, end: number): number {
  while (at < end) {
    const byte = buffer[at]!;
    if (byte > 32 || (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9)) return at;
    at++;
  }
  return at;
}

/** From just after the opening quote to just after the closing one, or MALFORMED; as strict as JSON.parse. */
export function skipString(buffer: Buffer, at: number, end: number): number {
  while (at < end) {
    const byte = buffer[at]!;
    if (interruptsString[byte] === 0) at++;
    else if (byte === QUOTE) return at + 1;
    else if (byte !== BACKSLASH || at + 1 >= end) return MALFORMED;
    else if (isSimpleEscape[buffer[at + 1]!] === 1) at += 2;
    else if (buffer[at + 1] === 117 && isHex4(buffer, at + 2, end)) at += 6;
    else return MALFORMED;
  }
  return MALFORMED;
}

/** From the first byte of a value to just after it, or MALFORMED, or TOO_DEEP; builds nothing. */
export function skipValue(buffer: Buffer, at: number, end: number): number {
  let depth = 0;
  for (;;) {
    if (at >= end) return MALFORMED;
    const byte = buffer[at]!;
    if (byte === 123 || byte === 91) {
      if (depth === maxDepth) return TOO_DEEP;
      const isObject = byte === 123;
      const inside = skipSpace(buffer, at + 1, end);
      if (inside >= end) return MALFORMED;
      if (buffer[inside] === byte + 2) at = inside + 1;
      else {
        isObjectAt[depth++] = isObject ? 1 : 0;
        at = isObject ? skipKey(buffer, inside, end) : inside;
        if (at < 0) return MALFORMED;
        continue;
      }
    } else {
      at = byte === QUOTE ? skipString(buffer, at + 1, end) : skipScalar(buffer, at, end, byte);
      if (at < 0) return MALFORMED;
    }
    // After a value: close what it completes, then go on to the next one.
    for (;;) {
      if (depth === 0) return at;
      at = skipSpace(buffer, at, end);
      if (at >= end) return MALFORMED;
      const isObject = isObjectAt[depth - 1] === 1;
      const next = buffer[at]!;
      if (next === COMMA) {
        at = skipSpace(buffer, at + 1, end);
        if (isObject) at = skipKey(buffer, at, end);
        if (at < 0) return MALFORMED;
        break;
      }
      if (next !== (isObject ? 125 : 93)) return MALFORMED;
      depth--;
      at++;
    }
  }
}

// From the quote of a key to the first byte of its value.
function skipKey(buffer: Buffer, at: number, end: number): number {
  if (at >= end || buffer[at] !== QUOTE) return MALFORMED;
  at = skipString(buffer, at + 1, end);
  return at < 0 ? MALFORMED : skipColon(buffer, at, end);
}

/** From just after a key to the first byte of its value, or MALFORMED. */
export function skipColon(buffer: Buffer, at: number, end: number): number {
  at = skipSpace(buffer, at, end);
  if (at >= end || buffer[at] !== COLON) return MALFORMED;
  return skipSpace(buffer, at + 1, end);
}

function skipScalar(buffer: Buffer, at: number, end: number, first: number): number {
  if (first === 45 || (first >= 48 && first <= 57)) return skipNumber(buffer, at, end);
  if (first === 116) return skipWord(buffer, at, end, 'true');
  if (first === 102) return skipWord(buffer, at, end, 'false');
  return first === 110 ? skipWord(buffer, at, end, 'null') : MALFORMED;
}

function skipWord(buffer: Buffer, at: number, end: number, word: string): number {
  if (end - at < word.length) return MALFORMED;
  for (let i = 1; i < word.length; i++) if (buffer[at + i] !== word.charCodeAt(i)) return MALFORMED;
  return at + word.length;
}

// From the first byte of a number to just after it.
function skipNumber(buffer: Buffer, at: number, end: number): number {
  if (buffer[at] === 45) at++;
  if (at < end && buffer[at] === 48) at++;
  else {
    at = skipDigits(buffer, at, end);
    if (at < 0) return MALFORMED;
  }
  if (at < end && buffer[at] === 46) {
    at = skipDigits(buffer, at + 1, end);
    if (at < 0) return MALFORMED;
  }
  if (at < end && (buffer[at]! | 32) === 101) {
    at++;
    if (at < end && (buffer[at] === 43 || buffer[at] === 45)) at++;
    at = skipDigits(buffer, at, end);
  }
  return at;
}

function skipDigits(buffer: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && buffer[at]! >= 48 && buffer[at]! <= 57) at++;
  return at === start ? MALFORMED : at;
}

function isHex4(buffer: Buffer, at: number, end: number): boolean {
  if (at + 4 > end) return false;
  for (let i = at; i < at + 4; i++) {
    const byte = buffer[i]!;
    const letter = byte | 32;
    if (!((byte >= 48 && byte <= 57) || (letter >= 97 && letter <= 102))) return false;
  }
  return true;
}
