import { expect, test } from 'vitest';
import { Failure } from '../failure.js';
import { planFrom } from './load-scenario.js';
import { parseYamlSource } from './yaml-source.js';

const good = {
  sessions: 'sessions: 10',
  load: 'load: { model: closed }',
  duration: 'duration: 5s',
  calls: 'calls: [{ tool: echo, arguments: { message: hi } }]',
  more: '',
};

process.env['BAD_HEADER_X'] = 'a\r\nX-B: c';

function messageOf(yaml: string): string {
  try {
    planFrom(parseYamlSource('x.yaml', yaml), 'x', {});
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    return (error as Failure).message;
  }
  return 'accepted';
}

test('what the mistakes below are made in is good', () => {
  expect(messageOf(Object.values(good).join('\n'))).toBe('accepted');
});

// One line of a good scenario is replaced (or `more` is added as line 5): place and words of what is said about it.
test.each<[Partial<typeof good>, string | string[]]>([
  [
    { calls: 'calls: [{ tool: sleep, arguments: { ms: {{int 1 20}} } }]' },
    '4:42: a template needs quotes: write "{{int 1 20}}", not {{int 1 20}}',
  ],
  [
    { calls: 'calls: [{ tool: sleep, arguments: { ms: "{{int 1}}" } }]' },
    '4:42: calls[0].arguments.ms: {{int 1}}: {{int}} takes two whole numbers, such as {{int 1 20}}',
  ],
  [{ more: 'sesions: 3' }, '5:1: unknown key "sesions"; did you mean "sessions"?'],
  [
    { more: 'banana: 3' },
    '5:1: unknown key "banana": expected one of name, target, sessions, posts, warmup, phases, load, duration, calls, data, timeouts, openLoop, pacing, seed, workers, tags, thresholds',
  ],
  [
    { sessions: '' },
    '2:1: "sessions" is missing: expected a number of sessions from 1 up, or a map such as { count: 1000, open: 500/s }',
  ],
  [
    { sessions: 'sessions:' },
    '1:10: sessions: expected a number of sessions from 1 up, or a map such as { count: 1000, open: 500/s }, found nothing',
  ],
  [
    { sessions: 'sessions: -1' },
    '1:11: sessions: expected a number of sessions from 1 up, or a map such as { count: 1000, open: 500/s }, found -1',
  ],
  [
    { sessions: 'sessions: many' },
    '1:11: sessions: expected a number of sessions from 1 up, or a map such as { count: 1000, open: 500/s }, found "many"',
  ],
  [
    { sessions: 'sessions: 1.5' },
    '1:11: sessions: expected a number of sessions from 1 up, or a map such as { count: 1000, open: 500/s }, found 1.5',
  ],
  [
    { sessions: 'sessions: {}' },
    '1:11: sessions: "count" is missing: expected a whole number of at least 1 and at most 1000000',
  ],
  [
    { sessions: 'sessions: { count: 0 }' },
    '1:20: sessions.count: expected a whole number of at least 1 and at most 1000000, found 0',
  ],
  [
    { sessions: 'sessions: { count: 5, open: 500 }' },
    '1:29: sessions.open: expected a rate such as 500/s, or at-once, found 500',
  ],
  [
    { sessions: 'sessions: { count: 5, open: -5/s }' },
    '1:29: sessions.open: expected a rate such as 500/s, or at-once, found "-5/s"',
  ],
  [
    { sessions: 'sessions: { count: 5, open: atonce }' },
    '1:29: sessions.open: expected a rate such as 500/s, or at-once, found "atonce"; did you mean "at-once"?',
  ],
  [
    { sessions: 'sessions: { count: 5, open: 0/s }' },
    '1:29: sessions.open: expected a rate such as 500/s, or at-once, found "0/s"',
  ],
  [
    { sessions: 'sessions: { count: 5, lifetime: 20 }' },
    '1:33: sessions.lifetime: expected a lifetime such as 20 calls, 10s, or { calls: 20, time: 10s }, found 20',
  ],
  [
    { sessions: 'sessions: { count: 5, lifetime: {} }' },
    '1:33: sessions.lifetime: expected calls, or time, or both, found neither',
  ],
  [
    { sessions: 'sessions: { count: 5, lifetime: { cals: 3 } }' },
    '1:35: sessions.lifetime: unknown key "cals"; did you mean "calls"?',
  ],
  [
    { sessions: 'sessions: { count: 5, lifetime: { calls: 0 } }' },
    '1:42: sessions.lifetime.calls: expected a whole number of at least 1, found 0',
  ],
  [
    { sessions: 'sessions: { count: 5, end: abandoned }' },
    '1:28: sessions.end: expected one of close, abandon, found "abandoned"; did you mean "abandon"?',
  ],
  [
    { sessions: 'sessions: { count: 5, idle: 5 }' },
    '1:29: sessions.idle: expected fewer idle sessions than there are sessions (5), so that one is left to make calls',
  ],
  [
    { sessions: 'sessions: { count: 5, idle: 100% }' },
    '1:29: sessions.idle: expected fewer idle sessions than there are sessions (5), so that one is left to make calls',
  ],
  [
    { sessions: 'sessions: { count: 5, idle: 120% }' },
    '1:29: sessions.idle: expected a number of sessions such as 100, or a percentage such as 95%, found "120%"',
  ],
  [
    { sessions: 'sessions: { count: 5, reconnect: maybe }' },
    '1:34: sessions.reconnect: expected true or false, found "maybe"',
  ],
  [
    { more: 'workers: 11' },
    '5:10: workers: 11 workers for 10 sessions that make calls: expected at most one worker for each',
  ],
  [{ more: 'workers: 0' }, '5:10: workers: expected a whole number of at least 1 and at most 1024, found 0'],
  [{ more: 'posts: parallel' }, '5:8: posts: expected one of serial, pipelined, shared, found "parallel"'],
  [
    { more: 'posts: { mode: pipelind }' },
    '5:16: posts.mode: expected one of serial, pipelined, shared, found "pipelind"; did you mean "pipelined"?',
  ],
  [
    { more: 'posts: { mode: serial, connections: 4 }' },
    '5:37: posts.connections: serial opens as many connections as it needs: expected connections only with pipelined or shared',
  ],
  [
    { more: 'posts: { connections: 4 }' },
    '5:8: posts: "mode" is missing: expected one of serial, pipelined, shared',
  ],
  [
    { more: 'warmup: 5' },
    '5:9: warmup: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), found 5',
  ],
  [
    { more: 'warmup: -5s' },
    '5:9: warmup: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), found "-5s"',
  ],
  [
    { more: 'warmup: 5 seconds' },
    '5:9: warmup: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), found "5 seconds"',
  ],
  [{ duration: '' }, '1:1: "duration" is missing: expected how long this lasts, such as 30s'],
  [{ load: '' }, '1:1: "phases" is missing: expected phases, or load and duration for a single one'],
  [
    { load: 'load: closed' },
    '2:7: load: expected a load such as { model: closed, inFlight: 4 } or { model: rate, perSecond: 300 }, found "closed"',
  ],
  [
    { load: 'load: {}' },
    '2:7: load: "model" is missing: expected one of closed, rate, ramp, steps, burst, count',
  ],
  [
    { load: 'load: { model: clsed }' },
    '2:16: load.model: expected one of closed, rate, ramp, steps, burst, count, found "clsed"; did you mean "closed"?',
  ],
  [
    { load: 'load: { model: open }' },
    '2:16: load.model: expected one of closed, rate, ramp, steps, burst, count, found "open"',
  ],
  [
    { load: 'load: { model: closed, inflight: 3 }' },
    '2:24: load: unknown key "inflight"; did you mean "inFlight"?',
  ],
  [
    { load: 'load: { model: rate }' },
    '2:7: load: "perSecond" is missing: expected calls per second such as 300, or a rate such as 500/s or 30/min, above 0',
  ],
  [
    { load: 'load: { model: rate, perSecond: -3 }' },
    '2:33: load.perSecond: expected calls per second such as 300, or a rate such as 500/s or 30/min, above 0, found -3',
  ],
  [
    { load: 'load: { model: rate, perSecond: 0 }' },
    '2:33: load.perSecond: expected calls per second such as 300, or a rate such as 500/s or 30/min, above 0, found 0',
  ],
  [
    { load: 'load: { model: rate, perSecond: 5/ms }' },
    '2:33: load.perSecond: expected calls per second such as 300, or a rate such as 500/s or 30/min, above 0, found "5/ms"',
  ],
  [
    { load: 'load: { model: rate, perSecond: .inf }' },
    '2:33: load.perSecond: expected calls per second such as 300, or a rate such as 500/s or 30/min, above 0, found Infinity',
  ],
  [
    { load: 'load: { model: rate, perSecond: 5, arrivals: random }' },
    '2:46: load.arrivals: expected one of uniform, poisson, found "random"',
  ],
  [
    { load: 'load: { model: ramp, from: 0, to: 0 }' },
    '2:7: load: expected a rate above 0 somewhere, found none',
  ],
  [
    { load: 'load: { model: ramp, from: 0 }' },
    '2:7: load: "to" is missing: expected calls per second such as 300, or a rate such as 500/s or 30/min',
  ],
  [
    { load: 'load: { model: count, calls: 10 }' },
    '3:11: duration: a count phase ends when its calls are answered: expected no duration',
  ],
  [
    { load: 'load: { model: steps, steps: [{ perSecond: 5, duration: 3s }] }' },
    '3:11: duration: a steps phase ends with its last step: expected no duration',
  ],
  [
    { load: 'load: { model: steps, steps: [] }', duration: '' },
    '2:30: load.steps: expected a list of steps such as { perSecond: 100, duration: 10s }, found an empty list',
  ],
  [
    { load: 'load: { model: steps, steps: [{ perSecond: 0, duration: 3s }] }', duration: '' },
    '2:7: load: expected a rate above 0 somewhere, found none',
  ],
  [
    { load: 'load: { model: steps, steps: [100, 200] }', duration: '' },
    [
      '2:31: load.steps[0]: expected a map with some of the keys perSecond, duration, found 100',
      '2:36: load.steps[1]: expected a map with some of the keys perSecond, duration, found 200',
    ],
  ],
  [
    { load: 'load: { model: burst, calls: 8, every: 0s }' },
    '2:40: load.every: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), above 0, found "0s"',
  ],
  [
    { load: 'load: { model: burst, calls: 8, every: 1 }' },
    '2:40: load.every: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), above 0, found 1',
  ],
  [
    { more: 'phases: [{ duration: 1s, load: { model: closed } }]' },
    '2:1: expected either phases, or load for a single phase, found both',
  ],
  [{ load: '', duration: 'phases: []' }, '3:9: phases: expected at least one phase, found an empty list'],
  [
    { load: '', duration: 'phases: [{ load: { model: closed } }]' },
    '3:10: phases[0]: "duration" is missing: expected how long this lasts, such as 30s',
  ],
  [
    {
      load: '',
      duration:
        'phases: [{ duration: 1s, load: { model: closed } }, { name: phase-1, duration: 1s, load: { model: closed } }]',
    },
    '3:61: phases[1].name: a second phase called "phase-1"',
  ],
  [
    { load: '', duration: 'phases: [{ name: "a{b}", duration: 1s, load: { model: closed } }]' },
    '3:18: phases[0].name: expected a name without braces and commas, found "a{b}"',
  ],
  [{ load: '', duration: 'phases: { a: 1 }' }, '3:9: phases: expected a list of phases, found a map'],
  [
    { load: '', duration: 'phases:\n  - durration: 5s\n    load: { model: closed }\n' },
    '4:5: phases[0]: unknown key "durration"; did you mean "duration"?',
  ],
  [{ calls: '' }, '1:1: "calls" is missing: expected a list of calls'],
  [{ calls: 'calls: []' }, '4:8: calls: expected at least one call, found an empty list'],
  [{ calls: 'calls: echo' }, '4:8: calls: expected a list of calls, found "echo"'],
  [
    { calls: 'calls: [echo]' },
    '4:9: calls[0]: expected a map with some of the keys tool, method, name, weight, arguments, params, expect, inputResponses, timeout, cancelAfter, found "echo"',
  ],
  [
    { calls: 'calls: [{}]' },
    '4:9: calls[0]: "tool" is missing: expected tool, or method for another request than a tool call',
  ],
  [
    { calls: 'calls: [{ tool: a, method: b }]' },
    '4:20: calls[0]: expected either tool or method, found both',
  ],
  [
    { calls: 'calls: [{ tool: a, params: {} }]' },
    '4:20: calls[0]: a tool takes arguments: expected arguments, found params',
  ],
  [
    { calls: 'calls: [{ method: a, arguments: {} }]' },
    '4:22: calls[0]: a method takes params: expected params, found arguments',
  ],
  [
    { calls: 'calls: [{ method: tools/call }]' },
    '4:11: calls[0]: expected tool: <name> for a tool call, found method: tools/call',
  ],
  [
    { calls: 'calls: [{ method: initialize }]' },
    '4:11: calls[0]: initialize cannot be part of the mix: every session does that by itself',
  ],
  [
    { calls: 'calls: [{ method: notifications/x }]' },
    '4:11: calls[0]: notifications/x cannot be part of the mix: nothing answers a notification',
  ],
  [{ calls: 'calls: [{ tool: a, weight: 0 }]' }, '4:28: calls[0].weight: expected a number above 0, found 0'],
  [
    { calls: 'calls: [{ tool: a, weight: -1 }]' },
    '4:28: calls[0].weight: expected a number above 0, found -1',
  ],
  [
    { calls: 'calls: [{ tool: a, weight: 1e308 }, { tool: b, weight: 1e308 }]' },
    '4:8: calls: expected weights whose sum is a number, found an infinite one',
  ],
  [
    { calls: 'calls: [{ tool: a }, { tool: a }]' },
    '4:22: calls[1]: a second call named "a": give it a name of its own, such as name: a-2',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: [1] }]' },
    '4:31: calls[0].arguments: expected a map of argument names to values, found a list',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: { x: [.nan] } }]' },
    '4:37: calls[0].arguments.x[0]: expected a value that JSON can hold, found NaN',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: { x: "aaa {{sqe}}" } }]' },
    '4:41: calls[0].arguments.x: there is no template {{sqe}}; did you mean "seq"? (there are: {{seq}} {{session}} {{now}} {{int 1 20}} {{float 0 1}} {{hex 16}} {{string 100}} {{bytes 64KB}} {{uuid}} {{pick a b c}} {{env NAME}} {{data.column}})',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: { x: "{{data.q}}" } }]' },
    '4:37: calls[0].arguments.x: {{data.q}}: the scenario has no data file called "data" (it has no data:)',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: echo }]' },
    '4:28: calls[0].expect: echo compares the answer with the argument "message": expected arguments: { message: … }, found none',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: { mesage: x }, expect: echo }]' },
    '4:54: calls[0].expect: echo compares the answer with the argument "message": expected arguments: { message: … }, found mesage',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: { message: "{{seq}}" }, expect: echo }]' },
    '4:63: calls[0].expect: echo needs a text to compare with: expected a message such as "call {{seq}}", found {{seq}}, which is not text',
  ],
  [
    { calls: 'calls: [{ tool: a, arguments: { message: 5 }, expect: [echo] }]' },
    '4:56: calls[0].expect[0]: echo needs a text to compare with: expected a message such as "call {{seq}}", found 5',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: ecko }]' },
    '4:28: calls[0].expect: expected echo, a map, or a list, found "ecko"; did you mean "echo"?',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: {} }]' },
    '4:28: calls[0].expect: expected isError, path and equals, or size, found none of them',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { path: x } }]' },
    '4:30: calls[0].expect: expected path and equals together, found path alone',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { path: "x..y", equals: 3 } }]' },
    '4:36: calls[0].expect.path: expected a path such as content[0].text, found "x..y"',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { path: x, equals: "{{seq}}" } }]' },
    '4:47: calls[0].expect.equals: what a call was sent by chance or count is not kept: expected a constant, {{env NAME}} or {{data.column}}',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { path: x, equals: "{{nope}}" } }]' },
    '4:48: calls[0].expect.equals: there is no template {{nope}} (there are: {{seq}} {{session}} {{now}} {{int 1 20}} {{float 0 1}} {{hex 16}} {{string 100}} {{bytes 64KB}} {{uuid}} {{pick a b c}} {{env NAME}} {{data.column}})',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { size: 5KB } }]' },
    '4:36: calls[0].expect.size: expected a map with some of the keys min, max, found "5KB"',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { size: { min: 5KB, max: 1KB } } }]' },
    '4:36: calls[0].expect.size: expected min not above max, found 5000 and 1000 bytes',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { size: { min: 5 KB } } }]' },
    '4:43: calls[0].expect.size.min: expected a size such as 512, 64KB or 1MiB, found "5 KB"',
  ],
  [
    { calls: 'calls: [{ tool: a, expect: { iserror: true } }]' },
    '4:30: calls[0].expect: unknown key "iserror"; did you mean "isError"?',
  ],
  [
    { calls: 'calls: [{ tool: a, timeout: 1s, cancelAfter: 2s }]' },
    '4:46: calls[0].cancelAfter: expected less than the time limit of the call, after which there is nothing left to cancel',
  ],
  [
    { calls: 'calls: [{ tool: a, cancelAfter: 30s }]' },
    '4:33: calls[0].cancelAfter: expected less than the time limit of the call, after which there is nothing left to cancel',
  ],
  [{ more: 'data: nope.csv' }, '5:7: data: nope.csv: no such file'],
  [
    { more: 'data: { a b: x.csv }' },
    '5:14: data.a b: expected a name of letters, digits, _ and -, found "a b"',
  ],
  [{ more: 'data: { users: { fle: x.csv } }' }, '5:18: data.users: unknown key "fle"; did you mean "file"?'],
  [
    { more: 'data: users.xls' },
    '5:7: data: users.xls: expected a file whose name ends in .csv, .tsv or .jsonl',
  ],
  [{ more: 'data: 5' }, '5:7: data: expected the path of a file, or a map of names to files, found 5'],
  [{ more: 'timeouts: { conect: 5s }' }, '5:13: timeouts: unknown key "conect"; did you mean "connect"?'],
  [
    { more: 'timeouts: { connect: 5 }' },
    '5:22: timeouts.connect: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), above 0, found 5',
  ],
  [
    { more: 'openLoop: { inFlight: 0 }' },
    '5:23: openLoop.inFlight: expected a whole number of at least 1, found 0',
  ],
  [
    { more: 'pacing: spinn' },
    '5:9: pacing: expected one of auto, spin, timer, found "spinn"; did you mean "spin"?',
  ],
  [{ more: 'seed: -1' }, '5:7: seed: expected a whole number of at least 0, found -1'],
  [{ more: 'seed: abc' }, '5:7: seed: expected a whole number of at least 0, found "abc"'],
  [{ more: 'tags: [a]' }, '5:7: tags: expected a map of names to texts, found a list'],
  [{ more: 'tags: { a: [1] }' }, '5:12: tags.a: expected a text, found a list'],
  [
    { more: 'target: localhost:8080' },
    '5:9: target: expected a URL such as http://127.0.0.1:8765/sse (http or https), found "localhost:8080"',
  ],
  [
    { more: 'target: ws://x/' },
    '5:9: target: expected a URL such as http://127.0.0.1:8765/sse (http or https), found "ws://x/"',
  ],
  [
    { more: 'target: nonsense' },
    '5:9: target: expected a URL such as http://127.0.0.1:8765/sse, found "nonsense"',
  ],
  [
    { more: 'target: { url: "http://a/{workspace}" }' },
    '5:16: target.url: expected no other placeholder than {session} and {{env NAME}}, found {workspace}',
  ],
  [
    { more: 'target: { url: "http://u:p@a/" }' },
    '5:16: target.url: expected no user and password in the URL: use headers, or token: $NAME',
  ],
  [
    { more: 'target: { transport: streamable-http }' },
    '5:22: target.transport: expected one of auto, sse, streamable, stdio, found "streamable-http"; did you mean "streamable"?',
  ],
  [
    { more: 'target: { protocol: 2025-11-24 }' },
    '5:21: target.protocol: expected one of auto, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28, found "2025-11-24"; did you mean "2025-11-25"?',
  ],
  [
    { more: 'target: { dialect: classik }' },
    '5:20: target.dialect: expected one of auto, classic, rmcp, serena, workspace, pymcp, found "classik"; did you mean "classic"?',
  ],
  [
    { more: 'target: { headers: { "a b": c } }' },
    '5:29: target.headers.a b: expected the name of a header such as X-Api-Key, found "a b"',
  ],
  [
    { more: 'target: { headers: { Content-Length: 5 } }' },
    '5:38: target.headers.Content-Length: the header Content-Length is written by the generator itself and cannot be set',
  ],
  [
    { more: 'target: { headers: { X-A: "a\\nb" } }' },
    '5:27: target.headers.X-A: expected a header value of visible ASCII characters, spaces and tabs',
  ],
  [
    { more: 'target: { headers: { X-A: "Müller" } }' },
    '5:27: target.headers.X-A: expected a header value of visible ASCII characters, spaces and tabs',
  ],
  [
    { more: 'target: { headers: { X-A: "{{env BAD_HEADER_X}}" } }' },
    '5:27: target.headers.X-A: expected a header value of visible ASCII characters, spaces and tabs',
  ],
  [
    { more: 'target: { headers: { X-A: "{{seq}}" } }' },
    '5:27: target.headers.X-A: headers are the same on every request: expected no other template than {{env NAME}}',
  ],
  [
    { more: 'target: { headers: { X-A: "{{env NOPE_X}}" } }' },
    '5:27: target.headers.X-A: {{env NOPE_X}}: the environment variable NOPE_X is not set',
  ],
  [
    { more: 'target: { env: { A: b } }' },
    '5:16: target.env: env is for a command: expected a command, found none',
  ],
  [
    { more: 'target: { transport: stdio }' },
    '5:22: target.transport: stdio is spoken to a command: expected a command, found none',
  ],
  [
    { more: 'target: { command: [] }' },
    '5:20: target.command: expected a program and its arguments, found an empty list',
  ],
  [
    { more: 'target: { command: node server.js }' },
    '5:20: target.command: expected a list of a program and its arguments, found "node server.js"',
  ],
  [
    { more: 'target: { command: [node], headers: { X-A: b } }' },
    '5:37: target.headers: headers is for servers with a url: a command alone is spoken to over stdio',
  ],
  [
    { more: 'target: { command: [node], transport: sse }' },
    '5:39: target.transport: sse is spoken to a URL: expected the url at which the command serves',
  ],
  [
    { more: 'target: { command: [node], url: "http://a:{port}/mcp", transport: stdio }' },
    '5:33: target.url: over stdio a server has no url: expected a command alone',
  ],
  [
    { more: 'target: { command: [node, "{{env NOPE_X}}"] }' },
    '5:27: target.command[1]: {{env NOPE_X}}: the environment variable NOPE_X is not set',
  ],
  [
    { more: 'target: { token: abc }' },
    '5:18: target.token: expected the name of an environment variable such as $MCP_TOKEN: a token does not belong in a file',
  ],
  [
    { more: 'target: { token: $BAD_HEADER_X }' },
    '5:18: target.token: expected visible ASCII characters in the environment variable BAD_HEADER_X, found others',
  ],
  [{ more: 'target: { token: $NOPE_X }' }, '5:18: target.token: the environment variable NOPE_X is not set'],
  [{ more: 'target: { tls: { ca: nope.pem } }' }, '5:22: target.tls.ca: nope.pem: no such file'],
  [
    { more: 'target: { tls: { cert: package.json } }' },
    [
      '5:16: target.tls: expected cert and key together, found one alone',
      '5:24: target.tls.cert: package.json: expected a PEM file (-----BEGIN …)',
    ],
  ],
  [
    { more: 'target: { tls: { verify: no } }' },
    '5:26: target.tls.verify: expected true or false, found "no"',
  ],
  [
    { more: 'thresholds: { call.respons: "p(99) < 1s" }' },
    '5:15: thresholds: there is no metric "call.respons"; did you mean "call.response"? (there are: call.response, call.service, call.ack, call.ackToEvent, call.eventToAck, call.firstEvent, call.release, queue.wait, call.connect, schedule.lag, failed.response, handshake.connect, handshake.headers, handshake.endpoint, handshake.initialize, handshake.initialized, handshake.discover, handshake.listen, handshake.spawn, handshake.total, calls, errors, availability)',
  ],
  [
    { more: 'thresholds: { "call.response{tool:eco}": "p(99) < 1s" }' },
    '5:15: thresholds: this scenario has no call "eco"; did you mean "echo"? (it has: echo)',
  ],
  [
    { more: 'thresholds: { "call.response{phase:x}": "p(99) < 1s" }' },
    '5:15: thresholds: this scenario has no phase "x" (it has: main)',
  ],
  [
    { more: 'thresholds: { "call.response{size:x}": "p(99) < 1s" }' },
    '5:15: thresholds: expected a label such as {tool:echo} or {phase:main}, found "{size:x}"',
  ],
  [
    { more: 'thresholds: { "handshake.total{tool:echo}": "p(99) < 1s" }' },
    '5:15: thresholds: handshake.total is a time of sessions and has no label, found "{tool:echo}"',
  ],
  [
    { more: 'thresholds: { call.response: ["p(99) < 1s", "p99 < 250ms"] }' },
    '5:45: thresholds.call.response[1]: expected a rule such as "p(99) < 250ms", "mean < 20ms", "rate < 0.1%", "rate > 500/s" or "count >= 100", found "p99 < 250ms"',
  ],
  [
    { more: 'thresholds: { call.response: "p(99) < 250" }' },
    '5:30: thresholds.call.response: p(99) is compared with a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), found "250"',
  ],
  [
    { more: 'thresholds: { call.response: "p(100) < 250ms" }' },
    '5:30: thresholds.call.response: expected a percentile above 0 and below 100 such as p(99.9), found p(100) (for 100 there is max)',
  ],
  [
    { more: 'thresholds: { call.response: "rate < 1%" }' },
    '5:30: thresholds.call.response: call.response is a time and takes rules such as "p(99) < 250ms", "mean < 20ms" or "count >= 100"',
  ],
  [
    { more: 'thresholds: { errors: "rate < 5" }' },
    '5:23: thresholds.errors: rate is compared with a percentage such as 0.1%, or a rate such as 500/s or 30/min, found "5"',
  ],
  [
    { more: 'thresholds: { errors: "rate < 5/s" }' },
    '5:23: thresholds.errors: errors takes rules such as "rate < 0.1%" or "count < 5"',
  ],
  [
    { more: 'thresholds: { calls: "rate < 5%" }' },
    '5:22: thresholds.calls: calls takes rules such as "rate > 500/s" or "count >= 100"',
  ],
  [
    { more: 'thresholds: { errors: "p(99) < 5s" }' },
    '5:23: thresholds.errors: errors takes rules such as "rate < 0.1%" or "count < 5"',
  ],
  [
    { more: 'thresholds: { errors: "count < 1.5" }' },
    '5:23: thresholds.errors: count is compared with a whole number such as 100, found "1.5"',
  ],
  [
    { more: 'thresholds: { errors: "count < 1 for 10" }' },
    '5:23: thresholds.errors: expected whole seconds after "for", such as for 10s, found "10"',
  ],
  [
    { more: 'thresholds: { errors: 5 }' },
    '5:23: thresholds.errors: expected a rule such as "p(99) < 250ms", found 5',
  ],
  [
    { more: 'thresholds: { errors: { rul: 5 } }' },
    '5:25: thresholds.errors: unknown key "rul"; did you mean "rule"?',
  ],
  [{ more: 'thresholds: [a]' }, '5:13: thresholds: expected a map of metrics to rules, found a list'],
])('%j', (changes, expected) => {
  const message = messageOf(Object.values({ ...good, ...changes }).join('\n'));
  expect(message.split('\n')).toEqual([expected].flat().map((line) => `x.yaml:${line}`));
});

test.each([
  ['', 'x.yaml:1:1: expected a scenario: a map with sessions, calls, and phases or load, found nothing'],
  [
    '# a comment',
    'x.yaml:1:1: expected a scenario: a map with sessions, calls, and phases or load, found nothing',
  ],
  ['hello', 'x.yaml:1:1: expected a scenario: a map with sessions, calls, and phases or load, found "hello"'],
  [
    '- 1\n- 2',
    'x.yaml:1:1: expected a scenario: a map with sessions, calls, and phases or load, found a list',
  ],
])('the file %j', (yaml, message) => {
  expect(messageOf(yaml)).toBe(message);
});

test('all mistakes are told, in the order of the file, and none twice', () => {
  expect(messageOf('sesions: 3\nload: { model: x }\ncals: []\nwarmup: 3\n').split('\n')).toEqual([
    'x.yaml:1:1: unknown key "sesions"; did you mean "sessions"?',
    'x.yaml:2:16: load.model: expected one of closed, rate, ramp, steps, burst, count, found "x"',
    'x.yaml:3:1: unknown key "cals"; did you mean "calls"?',
    'x.yaml:4:9: warmup: expected a duration with its unit, such as 250ms, 2s, 1m30s (units: ns us ms s m h), found 3',
  ]);
});

test('a mistake inside an anchor is found where the anchor stands', () => {
  const yaml = [
    'sessions: 1',
    'phases:',
    '  - { name: a, duration: 1s, load: &load { model: closed, inFlight: 0 } }',
    '  - { name: b, duration: 1s, load: *load }',
    'calls: [{ tool: x }]',
  ].join('\n');
  expect(messageOf(yaml)).toBe(
    [
      'x.yaml:3:69: phases[0].load.inFlight: expected a whole number of at least 1, found 0',
      'x.yaml:3:69: phases[1].load.inFlight: expected a whole number of at least 1, found 0',
    ].join('\n'),
  );
});
