import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallLog } from './call-log.js';
import type { CallRecord } from './call-log.js';
import type { MockConfigInput } from '../config/config.js';
import { coreOf, ManualLoop } from '../core.fixture.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

interface Line {
  id: string | number;
  sentNs: number | null;
  injected: string[];
}

/** A mock that logs, and what its log has so far. */
function logging(config: MockConfigInput) {
  const path = join(folder, 'calls.jsonl');
  const core = coreOf(config, (loop) => new CallLog(path, loop));
  const lines = (): Line[] => {
    core.loop.pass(200);
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  return { ...core, lines };
}

describe('the log', () => {
  test.each([
    'rpcError',
    'toolError',
    'httpError',
    'lost',
    'duplicate',
    'cut',
    'eventBefore202',
    'ackAfterWork',
    'heldPost',
    'unansweredPost',
    'splitEvent',
    'serverRequest',
    'push',
  ] as const)('names %s where it is done', (fault) => {
    const { app, open, lines } = logging({ faults: { [fault]: 1 } });
    open().echo(1);
    expect(lines()).toMatchObject([{ id: 1, injected: [fault] }]);
    expect(app.stats.injected[fault]).toBe(1);
  });

  test('names eventBefore202 also on a response so large that it is written at once', () => {
    const { open, lines } = logging({
      faults: { eventBefore202: 1 },
      tools: { large: { resultBytes: '2MB' } },
    });
    open().post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'large' } });
    expect(lines()).toMatchObject([{ id: 1, sentNs: 0, injected: ['eventBefore202'] }]);
  });

  test('does not name what was not done, because the queue was full', () => {
    const { app, open, lines } = logging({
      faults: { eventBefore202: 1, duplicate: 1 },
      wire: { queueLimit: 1, queueFull: 'drop' },
    });
    const { sink, stream, echo } = open();
    sink.takes = false;
    stream.blocked = true;
    echo(1);
    echo(2);
    expect(app.stats).toMatchObject({ queueDropped: 2, injected: { eventBefore202: 1, duplicate: 0 } });
    app.life.lost(stream, 'client');
    expect(lines().find(({ id }) => id === 2)).toMatchObject({ sentNs: null, injected: [] });
  });

  test('says of each response when it was written, also to a reader that is behind', () => {
    const { app, loop, open, lines } = logging({ tools: { big: { resultBytes: '20KB' } } });
    const { sink, stream, post } = open();
    stream.blocked = true;
    for (const id of [1, 2, 3]) post({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'big' } });
    // There is room for one of them at a time.
    sink.takes = false;
    loop.pass(10);
    app.streams.drained(stream);
    loop.pass(10);
    app.streams.drained(stream);
    app.life.lost(stream, 'client');
    expect(lines()).toMatchObject([
      { id: 1, sentNs: 10e6, injected: [] },
      { id: 2, sentNs: 20e6, injected: [] },
      { id: 3, sentNs: null, injected: ['late'] },
    ]);
  });

  test('ends with one line on stderr where it cannot be written, and the server goes on', () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { app, loop, open } = logging({});
    rmSync(folder, { recursive: true });
    const { sink, echo } = open();
    for (let id = 0; id < 5000; id++) echo(id);
    loop.pass(200);
    echo('after');
    loop.pass(200);
    expect(sink.messages).toHaveLength(5001);
    expect(app.stats.responsesSent).toBe(5001);
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^mcp-bench: the log .* ends here: ENOENT/)]]);
  });

  test('keeps no lines once it cannot be written', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const loop = new ManualLoop();
    const log = new CallLog(join(folder, 'none', 'calls.jsonl'), loop);
    const record: CallRecord = {
      idJson: '1',
      session: 's',
      tool: 't',
      receivedNs: 0,
      dueNs: 0,
      injected: [],
    };
    log.write(record, 0);
    log.flush();
    const after = vi.spyOn(loop, 'after');
    log.write(record, 0);
    expect(after).not.toHaveBeenCalled();
  });
});
