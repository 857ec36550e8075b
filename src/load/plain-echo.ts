const idAt = '{"jsonrpc":"2.0","id":'.length;
const before = '"result":{"content":[{"type":"text","text":';
const beforeBytes = Buffer.from(before);
const after = '}]';
const COMMA = 44;
const CLOSE_OBJECT = 125;
const CLOSE_ARRAY = 93;

/**
 * Whether the response in bytes [start, end) returns `echo`, a JSON string, as servers usually write it. False says nothing:
 * what is written otherwise must be parsed and looked at properly.
 */
export function isPlainEcho(echo: string, buffer: Buffer, start: number, end: number): boolean {
  return isUsualEcho(echo, buffer, start, end) || buffer.subarray(start, end).includes(before + echo + after);
}

// Byte by byte where nearly all servers have it: searching costs a copy of the text and a call out of JavaScript (`npm run bench`).
function isUsualEcho(echo: string, buffer: Buffer, start: number, end: number): boolean {
  let at = start + idAt;
  while (at < end && buffer[at]! >= 48 && buffer[at]! <= 57) at++;
  if (at + 1 + beforeBytes.length + echo.length + after.length > end || buffer[at] !== COMMA) return false;
  at++;
  for (let i = 0; i < beforeBytes.length; i++) if (buffer[at + i] !== beforeBytes[i]) return false;
  at += beforeBytes.length;
  for (let i = 0; i < echo.length; i++) {
    const code = echo.charCodeAt(i);
    // Other characters are more than one byte each.
    if (code > 127 || buffer[at + i] !== code) return false;
  }
  at += echo.length;
  return buffer[at] === CLOSE_OBJECT && buffer[at + 1] === CLOSE_ARRAY;
}
