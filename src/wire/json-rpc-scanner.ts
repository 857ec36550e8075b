import { cut, longestName } from '../text/cut.js';
import { NameTable } from './name-table.js';
import { MALFORMED, escapesSeen, skipColon, skipSpace, skipString, skipValue } from './skip-json.js';

/** What a client must know of a JSON-RPC message to route and judge it, without its contents. */
export interface Envelope {
  kind: 'response' | 'request' | 'notification' | 'invalid';
  idType: 'none' | 'null' | 'number' | 'string';
  idNumber: number;
  idString: string;
  /** '' where there is none; cut at the length that a name may have. */
  method: string;
  hasResult: boolean;
  hasError: boolean;
  /** NaN where there is none. */
  errorCode: number;
  /** `result.isError` is true. */
  isError: boolean;
  /** `result.resultType` is "input_required". */
  inputRequired: boolean;
  /** `jsonrpc` is "2.0"; not needed for a message to be valid here, since servers exist that leave it out. */
  isVersion2: boolean;
  /** Why it is invalid: 'json', 'not-an-object', 'id', 'method', 'method-and-result', 'result-and-error', 'no-result', 'no-id', 'error-code'; else ''. */
  reason: string;
}

/** An envelope to hand to `scanEnvelope` again and again. */
export function createEnvelope(): Envelope {
  return {
    kind: 'invalid',
    idType: 'none',
    idNumber: NaN,
    idString: '',
    method: '',
    hasResult: false,
    hasError: false,
    errorCode: NaN,
    isError: false,
    inputRequired: false,
    isVersion2: false,
    reason: '',
  };
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const keys = {
  id: Buffer.from('id'),
  error: Buffer.from('error'),
  method: Buffer.from('method'),
  result: Buffer.from('result'),
  jsonrpc: Buffer.from('jsonrpc'),
  code: Buffer.from('code'),
  isError: Buffer.from('isError'),
  resultType: Buffer.from('resultType'),
};
const inputRequired = Buffer.from('"input_required"');
// Longer than any that is looked for: no member of a message is taken for it.
const none = Buffer.alloc(64);
const usualMembers = Buffer.from('"jsonrpc":"2.0","id":');
const version2 = Buffer.from('"2.0"');
const methodNames = new NameTable(['notifications/message', 'notifications/progress', 'ping', 'roots/list']);

// What the envelope itself does not hold; shared, because nothing here is re-entrant.
let hasId = false;
let hasMethod = false;
let isMethodString = false;
/** Where the value of the member looked for by `findMember` begins; -1 where there is none. */
let memberStart = -1;
let memberEnd = -1;
/** The same of the second member that it looks for. */
let otherStart = -1;
let otherEnd = -1;

/** Whether the text is an array, which is to say a batch. */
export function isArray(buffer: Buffer, start: number, end: number): boolean {
  const at = skipSpace(buffer, start, end);
  return at < end && buffer[at] === OPEN_ARRAY;
}

/** Reads the envelope of the JSON-RPC message in bytes [start, end) into `out`; never throws, and agrees with JSON.parse. */
export function scanEnvelope(buffer: Buffer, start: number, end: number, out: Envelope): void {
  clear(out);
  const at = skipSpace(buffer, start, end);
  if (at === end) return invalid(out, 'json');
  const after = buffer[at] === OPEN_OBJECT ? scanObject(buffer, at, end, out) : skipValue(buffer, at, end);
  if (after < 0) return refuse(out);
  if (skipSpace(buffer, after, end) !== end) return refuse(out);
  if (buffer[at] !== OPEN_OBJECT) return invalid(out, 'not-an-object');
  classify(out);
}

function scanObject(buffer: Buffer, start: number, end: number, out: Envelope): number {
  let at = skipSpace(buffer, start + 1, end);
  if (at < end && buffer[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    const usual = scanUsualMembers(buffer, at, end, out);
    if (usual > 0) at = usual;
    else {
      if (at >= end || buffer[at] !== QUOTE) return MALFORMED;
      const key = at + 1;
      const escapes = escapesSeen;
      const keyEnd = skipString(buffer, key, end) - 1;
      if (keyEnd < 0) return MALFORMED;
      at = skipColon(buffer, keyEnd + 1, end);
      if (at < 0 || at >= end) return MALFORMED;
      if (escapesSeen === escapes) at = scanMember(buffer, key, keyEnd, buffer, at, end, out);
      else {
        const name = unescaped(buffer, key, keyEnd);
        at = scanMember(name, 0, name.length, buffer, at, end, out);
      }
      if (at < 0) return at;
    }
    at = skipSpace(buffer, at, end);
    if (at >= end) return MALFORMED;
    if (buffer[at] === CLOSE_OBJECT) return at + 1;
    if (buffer[at] !== COMMA) return MALFORMED;
    at = skipSpace(buffer, at + 1, end);
  }
}

// `"jsonrpc":"2.0","id":7`, as nearly all servers write it, at the beginning or at the end; just after it, or -1 if it is anything else.
function scanUsualMembers(buffer: Buffer, start: number, end: number, out: Envelope): number {
  let at = start + usualMembers.length;
  if (at >= end || buffer[start + 1] !== 106 || !equals(buffer, start, usualMembers)) return -1;
  const first = at;
  let id = 0;
  while (at < end) {
    const digit = buffer[at]! - 48;
    if (digit < 0 || digit > 9) break;
    id = id * 10 + digit;
    at++;
  }
  const digits = at - first;
  // Longer numbers, fractions, exponents and ids of other types go the general way.
  if (digits === 0 || digits > 15 || (digits > 1 && buffer[first] === 48)) return -1;
  if (at >= end || (buffer[at] !== COMMA && buffer[at] !== CLOSE_OBJECT)) return -1;
  hasId = true;
  out.isVersion2 = true;
  out.idType = 'number';
  out.idNumber = id;
  out.idString = '';
  return at;
}

// The name of the member is bytes [key, keyEnd) of `name`. Repeated members: the last one counts, as with JSON.parse.
function scanMember(
  name: Buffer,
  key: number,
  keyEnd: number,
  buffer: Buffer,
  at: number,
  end: number,
  out: Envelope,
): number {
  switch (keyEnd - key) {
    case 2:
      if (equals(name, key, keys.id)) return scanId(buffer, at, end, out);
      break;
    case 5:
      if (equals(name, key, keys.error)) return scanError(buffer, at, end, out);
      break;
    case 6:
      if (equals(name, key, keys.result)) return scanResult(buffer, at, end, out);
      if (equals(name, key, keys.method)) return scanMethod(buffer, at, end, out);
      break;
    case 7:
      if (equals(name, key, keys.jsonrpc)) return scanVersion(buffer, at, end, out);
      break;
  }
  return skipValue(buffer, at, end);
}

function scanId(buffer: Buffer, at: number, end: number, out: Envelope): number {
  const first = buffer[at]!;
  const escapes = escapesSeen;
  const after = skipValue(buffer, at, end);
  if (after < 0) return after;
  hasId = true;
  out.idNumber = NaN;
  out.idString = '';
  if (first === QUOTE) {
    out.idType = 'string';
    out.idString = stringValue(buffer, at, after, escapesSeen !== escapes);
  } else if (isNumberStart(first)) {
    out.idType = 'number';
    out.idNumber = numberValue(buffer, at, after);
  } else out.idType = first === 110 ? 'null' : 'none';
  return after;
}

function scanMethod(buffer: Buffer, at: number, end: number, out: Envelope): number {
  const escapes = escapesSeen;
  const after = skipValue(buffer, at, end);
  if (after < 0) return after;
  hasMethod = true;
  isMethodString = buffer[at] === QUOTE;
  if (!isMethodString) out.method = '';
  else if (escapesSeen === escapes) out.method = methodName(buffer, at + 1, after - 1);
  else out.method = cut(stringValue(buffer, at, after, true), longestName);
  return after;
}

// No character takes more bytes in UTF-8 than three for each unit of a string.
function methodName(buffer: Buffer, start: number, end: number): string {
  return end - start <= longestName
    ? methodNames.get(buffer, start, end)
    : cut(buffer.toString('utf8', start, Math.min(end, start + 3 * (longestName + 1))), longestName);
}

function scanVersion(buffer: Buffer, at: number, end: number, out: Envelope): number {
  const escapes = escapesSeen;
  const after = skipValue(buffer, at, end);
  if (after < 0) return after;
  if (buffer[at] === QUOTE && escapesSeen !== escapes)
    out.isVersion2 = stringValue(buffer, at, after, true) === '2.0';
  else out.isVersion2 = after - at === version2.length && equals(buffer, at, version2);
  return after;
}

function scanResult(buffer: Buffer, at: number, end: number, out: Envelope): number {
  const after = findMember(buffer, at, end, keys.isError, keys.resultType);
  if (after < 0) return after;
  out.hasResult = true;
  out.isError = memberStart >= 0 && buffer[memberStart] === 116;
  out.inputRequired = otherStart >= 0 && isText(buffer, otherStart, otherEnd, inputRequired);
  return after;
}

function scanError(buffer: Buffer, at: number, end: number, out: Envelope): number {
  const after = findMember(buffer, at, end, keys.code, none);
  if (after < 0) return after;
  out.hasError = true;
  const isNumber = memberStart >= 0 && isNumberStart(buffer[memberStart]!);
  out.errorCode = isNumber ? numberValue(buffer, memberStart, memberEnd) : NaN;
  return after;
}

// Skips a value and, where it is an object, notes where its own members `name` and `other` lie.
function findMember(buffer: Buffer, at: number, end: number, name: Buffer, other: Buffer): number {
  memberStart = -1;
  otherStart = -1;
  if (buffer[at] !== OPEN_OBJECT) return skipValue(buffer, at, end);
  at = skipSpace(buffer, at + 1, end);
  if (at < end && buffer[at] === CLOSE_OBJECT) return at + 1;
  for (;;) {
    if (at >= end || buffer[at] !== QUOTE) return MALFORMED;
    const key = at + 1;
    const escapes = escapesSeen;
    const keyEnd = skipString(buffer, key, end) - 1;
    if (keyEnd < 0) return MALFORMED;
    const isEscaped = escapesSeen !== escapes;
    const value = skipColon(buffer, keyEnd + 1, end);
    if (value < 0) return MALFORMED;
    at = skipValue(buffer, value, end);
    if (at < 0) return at;
    const length = keyEnd - key;
    // Most are as long as neither.
    if (isEscaped || length === name.length || length === other.length) {
      const names = isEscaped ? unescaped(buffer, key, keyEnd) : buffer;
      const first = isEscaped ? 0 : key;
      const bytes = isEscaped ? names.length : length;
      if (bytes === name.length && equals(names, first, name)) {
        memberStart = value;
        memberEnd = at;
      } else if (bytes === other.length && equals(names, first, other)) {
        otherStart = value;
        otherEnd = at;
      }
    }
    at = skipSpace(buffer, at, end);
    if (at >= end) return MALFORMED;
    if (buffer[at] === CLOSE_OBJECT) return at + 1;
    if (buffer[at] !== COMMA) return MALFORMED;
    at = skipSpace(buffer, at + 1, end);
  }
}

// Escaped names are rare. What has been found to be a string can be parsed.
function unescaped(buffer: Buffer, key: number, keyEnd: number): Buffer {
  return Buffer.from(stringValue(buffer, key - 1, keyEnd + 1, true));
}

function classify(out: Envelope): void {
  if (hasId && out.idType === 'none') return invalid(out, 'id');
  if (hasMethod) {
    if (!isMethodString) return invalid(out, 'method');
    if (out.hasResult || out.hasError) return invalid(out, 'method-and-result');
    if (out.idType === 'null') return invalid(out, 'id');
    out.kind = hasId ? 'request' : 'notification';
    return;
  }
  if (out.hasResult && out.hasError) return invalid(out, 'result-and-error');
  if (!out.hasResult && !out.hasError) return invalid(out, 'no-result');
  if (out.hasError && Number.isNaN(out.errorCode)) return invalid(out, 'error-code');
  // An error may come without an id: the server could not read ours.
  if (out.hasResult && (!hasId || out.idType === 'null')) return invalid(out, 'no-id');
  out.kind = 'response';
}

function clear(out: Envelope): void {
  hasId = false;
  hasMethod = false;
  isMethodString = false;
  out.kind = 'invalid';
  out.idType = 'none';
  out.idNumber = NaN;
  out.idString = '';
  out.method = '';
  out.hasResult = false;
  out.hasError = false;
  out.errorCode = NaN;
  out.isError = false;
  out.inputRequired = false;
  out.isVersion2 = false;
  out.reason = '';
}

// What was read before the error means nothing.
function refuse(out: Envelope): void {
  clear(out);
  out.reason = 'json';
}

function invalid(out: Envelope, reason: string): void {
  out.kind = 'invalid';
  out.reason = reason;
}

// A literal may be written with escapes, too.
function isText(buffer: Buffer, start: number, end: number, literal: Buffer): boolean {
  if (end - start === literal.length && equals(buffer, start, literal)) return true;
  const isEscaped = buffer[start] === QUOTE && buffer.subarray(start, end).includes(92);
  return isEscaped && JSON.stringify(stringValue(buffer, start, end, true)) === literal.toString();
}

function equals(buffer: Buffer, start: number, bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i++) if (buffer[start + i] !== bytes[i]) return false;
  return true;
}

function isNumberStart(byte: number): boolean {
  return byte === 45 || (byte >= 48 && byte <= 57);
}

// Both are given a literal that has been checked already.
function stringValue(buffer: Buffer, start: number, end: number, hasEscapes: boolean): string {
  if (hasEscapes) return JSON.parse(buffer.toString('utf8', start, end)) as string;
  return buffer.toString('utf8', start + 1, end - 1);
}

function numberValue(buffer: Buffer, start: number, end: number): number {
  if (end - start > 15 || buffer[start] === 45) return Number(buffer.toString('latin1', start, end));
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = buffer[i]! - 48;
    if (digit < 0 || digit > 9) return Number(buffer.toString('latin1', start, end));
    value = value * 10 + digit;
  }
  return value;
}
