// A program: the barest server of stdio that there can be. It takes requests apart no further than it has to, writes once for what it
// has read at once, and knows one tool.

let held = '';
process.stdin.setEncoding('latin1');
process.stdin.on('data', (text: string) => {
  const lines = (held + text).split('\n');
  held = lines.pop()!;
  let out = '';
  for (const line of lines) out += answer(line);
  if (out !== '') process.stdout.write(out, 'latin1');
});
process.stdin.on('end', () => process.exit(0));
// Whoever measures it is gone before it has written all.
process.stdout.on('error', () => process.exit(0));

function answer(line: string): string {
  const idAt = line.indexOf('"id":') + 5;
  if (idAt === 4) return '';
  const id = line.slice(idAt, line.indexOf(',', idAt));
  const textAt = line.indexOf('"message":"') + 11;
  if (textAt > 10)
    return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${line.slice(textAt, line.indexOf('"', textAt))}"}],"isError":false}}\n`;
  if (line.includes('"initialize"'))
    return `{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo-lines","version":"1"}}}\n`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}\n`;
}
