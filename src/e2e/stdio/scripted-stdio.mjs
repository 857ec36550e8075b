// A server of stdio for tests: answers what it is asked, and does besides what its arguments say.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';

const wanted = new Set(process.argv.slice(2));
const valueOf = (name) => process.argv.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
const end = wanted.has('crlf') ? '\r\n' : '\n';
const say = (message) => process.stdout.write(JSON.stringify(message) + end);
const answer = (id, result) => say({ jsonrpc: '2.0', id, result });
let calls = 0;

if (wanted.has('early'))
  process.stdout.write('starting up…\n{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
if (wanted.has('answers-first'))
  for (let id = 1; id < 100; id++) answer(id, { content: [{ type: 'text', text: 'guessed' }] });
if (wanted.has('pours')) {
  const line = Buffer.alloc(64 * 1024, 'x');
  const pour = () => process.stdout.write(line, pour);
  pour();
}
if (wanted.has('dies-first')) {
  process.stderr.write('no configuration\ngiving up\n');
  process.exit(3);
}
if (wanted.has('floods')) process.stderr.write('a line of a log\n'.repeat(20_000));
if (wanted.has('ignores-eof')) setInterval(() => {}, 1000);
if (wanted.has('ignores-term')) process.on('SIGTERM', () => {});
if (wanted.has('forks') || wanted.has('forks-away')) {
  const child = spawn('sleep', ['1000'], { stdio: 'inherit', detached: wanted.has('forks-away') });
  process.stderr.write(`child ${child.pid}\n`);
  child.unref();
}

let held = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (held + text).split('\n');
  held = lines.pop();
  for (const line of lines) take(JSON.parse(line));
});
process.stdin.on('end', () => {
  if (!wanted.has('ignores-eof')) process.exit(0);
});

function take({ id, method, params }) {
  if (method === 'server/discover') {
    if (wanted.has('silent')) return;
    if (wanted.has('stateless'))
      return answer(id, {
        supportedVersions: ['2026-07-28'],
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      });
    return say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  }
  if (method === 'initialize') {
    if (wanted.has('dies-in-handshake')) process.exit(1);
    if (wanted.has('deaf')) return;
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1' },
    });
    if (wanted.has('asks')) say({ jsonrpc: '2.0', id: 'q1', method: 'ping' });
    if (wanted.has('stops-reading')) {
      process.stdin.pause();
      setInterval(() => {}, 1000);
    }
    return;
  }
  if (method === 'tools/list')
    return answer(id, {
      tools: [{ name: 'echo', inputSchema: { type: 'object', properties: { message: { type: 'string' } } } }],
    });
  if (method === undefined || id === undefined) {
    if (method === 'notifications/cancelled') process.stderr.write(`cancelled ${params.requestId}\n`);
    return;
  }
  if (method !== 'tools/call') return answer(id, {});
  calls++;
  if (calls === Number(valueOf('dies-at'))) process.exit(1);
  if (calls === Number(valueOf('dies-in-line-at'))) {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"res`, () => process.exit(1));
    return;
  }
  if (calls === Number(valueOf('killed-at'))) process.kill(process.pid, 'SIGKILL');
  if (calls === Number(valueOf('silent-at'))) return;
  if (wanted.has('binary'))
    process.stdout.write(Buffer.from([0, 0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 10, 0x7b, 0xff, 10, 0x5b, 10]));
  if (wanted.has('deep')) process.stdout.write(`{"jsonrpc":"2.0","id":${id},"x":${'['.repeat(100_000)}\n`);
  if (wanted.has('strangers'))
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${id + 1_000_000},"result":{}}\n[]\n[1,2]\n"text"\n7\nnull\n`,
    );
  if (wanted.has('twice')) answer(id, { content: [] });
  if (wanted.has('asks-much'))
    for (let at = 0; at < 1000; at++) say({ jsonrpc: '2.0', id: `q${at}`, method: 'ping' });
  if (calls === Number(valueOf('closes-stdout-at'))) {
    process.stdout.destroy();
    closeSync(1);
    setInterval(() => {}, 1000);
    return;
  }
  if (calls === Number(valueOf('closes-stdin-at'))) {
    process.stdin.destroy();
    closeSync(0);
    setInterval(() => {}, 1000);
  }
  if (wanted.has('chatty')) process.stdout.write(`log: call ${calls}\n`);
  const text =
    valueOf('size') === undefined ? (params.arguments?.message ?? '') : 'x'.repeat(Number(valueOf('size')));
  const result = { content: [{ type: 'text', text }], isError: false };
  const delay = Number(valueOf('delay') ?? 0);
  if (delay > 0) setTimeout(() => answer(id, result), delay);
  else answer(id, result);
}
