/** The text is no JSON. */
export const MALFORMED = -1;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

// 1 = ends or interrupts a string: the quote, the backslash, and the controls that JSON forbids in it.
const interruptsString = new Uint8Array(256).fill(1, 0, 32);
interruptsString[QUOTE] = 1;
interruptsString[BACKSLASH] = 1;
const words = { true: Buffer.from('true'), false: Buffer.from('false'), null: Buffer.from('null') };
const isDigit = new Uint8Array(256).fill(1, 48, 58);
const isSimpleEscape = new Uint8Array(256);
for (const char of '"\\/bfnrt') isSimpleEscape[char.charCodeAt(0)] = 1;

/** Counts the escapes that `skipString` has come across: a string that did not raise it is its own text. */
export let escapesSeen = 0;

const shortBytes = 40;
let viewed: ArrayBufferLike = new ArrayBuffer(0);
let view: DataView = new DataView(viewed);

// Whether the container at each depth is an object; shared, because nothing here is re-entrant. It grows with what is nested
// deeper than anything is meant to be: a byte a level, where JSON.parse takes a hundred.
let isObjectAt = new Uint8Array(512);

/** The first position from `at` on that is no JSON white space, at most `end`. */
export function skipSpace(buffer: Buffer, at: number, end: number): number {
  // Nearly always there is none.
  if (at < end && buffer[at]! > 32) return at;
  while (at < end) {
    const byte = buffer[at]!;
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return at;
    at++;
  }
  return at;
}

/** From just after the opening quote to just after the closing one, or MALFORMED; as strict as JSON.parse. */
export function skipString(buffer: Buffer, at: number, end: number): number {
  for (;;) {
    // Most strings are short, and most bytes are in long ones: the former are best read byte by byte, the latter as words.
    const near = end - at > shortBytes ? at + shortBytes : end;
    while (at < near && interruptsString[buffer[at]!] === 0) at++;
    if (at === near && at < end) {
      at = skipPlainWords(buffer, at, end);
      while (at < end && interruptsString[buffer[at]!] === 0) at++;
    }
    if (at >= end) return MALFORMED;
    const byte = buffer[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH || at + 1 >= end) return MALFORMED;
    escapesSeen++;
    if (isSimpleEscape[buffer[at + 1]!] === 1) at += 2;
    else if (buffer[at + 1] === 117 && isHex4(buffer, at + 2, end)) at += 6;
    else return MALFORMED;
  }
}

// Eight bytes at a time, as two words: `(x - n) & ~x & 0x80` in each byte of a word tells whether any of them is below n.
function skipPlainWords(buffer: Buffer, start: number, end: number): number {
  const arrayBuffer = buffer.buffer;
  if (arrayBuffer !== viewed) {
    viewed = arrayBuffer;
    view = new DataView(arrayBuffer);
  }
  const offset = buffer.byteOffset;
  const limit = offset + end - 8;
  let at = offset + start;
  while (at <= limit) {
    const a = view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    // Under `^ 2` the controls stay below 0x20 and the quote, 0x22, becomes 0x20; nothing else gets below 0x21.
    const quoteOrControl = (((a ^ 0x02020202) - 0x21212121) & ~a) | (((b ^ 0x02020202) - 0x21212121) & ~b);
    const c = a ^ 0x5c5c5c5c;
    const d = b ^ 0x5c5c5c5c;
    const backslash = ((c - 0x01010101) & ~c) | ((d - 0x01010101) & ~d);
    if (((quoteOrControl | backslash) & 0x80808080) !== 0) break;
    at += 8;
  }
  return at - offset;
}

/** From the first byte of a value to just after it, or MALFORMED; builds nothing, however deeply it is nested. */
export function skipValue(buffer: Buffer, at: number, end: number): number {
  let depth = 0;
  for (;;) {
    if (at >= end) return MALFORMED;
    const byte = buffer[at]!;
    if (byte === 123 || byte === 91) {
      if (depth === isObjectAt.length) growDepth();
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

function growDepth(): void {
  const before = isObjectAt;
  isObjectAt = new Uint8Array(before.length * 4);
  isObjectAt.set(before);
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
  if (first === 116) return skipWord(buffer, at, end, words.true);
  if (first === 102) return skipWord(buffer, at, end, words.false);
  return first === 110 ? skipWord(buffer, at, end, words.null) : MALFORMED;
}

function skipWord(buffer: Buffer, at: number, end: number, word: Buffer): number {
  const length = word.length;
  if (end - at < length) return MALFORMED;
  for (let i = 1; i < length; i++) if (buffer[at + i] !== word[i]) return MALFORMED;
  return at + length;
}

function skipNumber(buffer: Buffer, at: number, end: number): number {
  if (buffer[at] === 45) at++;
  let first = at;
  while (at < end && isDigit[buffer[at]!] === 1) at++;
  if (at === first || (buffer[first] === 48 && at > first + 1)) return MALFORMED;
  if (at < end && buffer[at] === 46) {
    first = ++at;
    while (at < end && isDigit[buffer[at]!] === 1) at++;
    if (at === first) return MALFORMED;
  }
  if (at < end && (buffer[at]! | 32) === 101) {
    at++;
    if (at < end && (buffer[at] === 43 || buffer[at] === 45)) at++;
    first = at;
    while (at < end && isDigit[buffer[at]!] === 1) at++;
    if (at === first) return MALFORMED;
  }
  return at;
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
