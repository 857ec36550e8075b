// What real servers put on stdout by mistake: greetings, colours, debugging output, and JSON that breaks off.
const lines = [
  'Server running on stdio',
  '\u001b[32m[info]\u001b[39m mock: not a message',
  'DEBUG {"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"resu',
  '(node:1) ExperimentalWarning: not JSON either',
];

/** The n-th line that is not JSON, without its end. */
export function noiseLine(n: number): string {
  return lines[n % lines.length]!;
}

/** A text for stderr of exactly that many bytes, in lines. */
export function stderrText(bytes: number): string {
  const line = 'mcp-bench mock: a line on standard error\n';
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}
