/** Whether a text holds nothing but ASCII, which is as many bytes as characters in UTF-8. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
