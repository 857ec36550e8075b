import { describe, expect, it } from 'vitest';
import { judge, readExpected, unknownEntries } from './verdict.mjs';
import type { Check } from './verdict.mjs';

const check = (id: string, status: Check['status'], errorMessage?: string): Check => ({
  id,
  status,
  description: `what ${id} is about`,
  ...(errorMessage === undefined ? {} : { errorMessage }),
});
const none = new Map<string, string>();
const good = { scenario: 'ping', checks: [check('ping', 'SUCCESS'), check('note', 'INFO')] };
const bad = { scenario: 'ping', checks: [check('ping', 'FAILURE', 'no answer'), check('wire', 'SUCCESS')] };

describe('the list of expected failures', () => {
  it('has scenarios, and checks of scenarios, each with its reason', () => {
    const list = `# What is left out.
server: []
client:
  - auth/basic-cimd # no OAuth
  - sse-retry:client-sse-retry-timing  # a busy machine
`;
    const { server, client } = readExpected(list);
    expect([...server]).toEqual([]);
    expect([...client]).toEqual([
      ['auth/basic-cimd', 'no OAuth'],
      ['sse-retry:client-sse-retry-timing', 'a busy machine'],
    ]);
  });

  it('wants a reason', () => {
    expect(() => readExpected('client:\n  - auth/basic-cimd\n')).toThrow(
      'line 2: auth/basic-cimd: expected a reason',
    );
  });

  it('wants entries that there are', () => {
    const { client } = readExpected('client:\n  - ping # a\n  - pong:check # b\n  - gone # c\n');
    expect(unknownEntries(client, ['ping', 'pong'])).toEqual(['gone']);
  });
});

describe('a scenario', () => {
  it('passes where all its checks do', () => {
    expect(judge(good, none)).toEqual({ verdict: 'passed', lines: [] });
  });

  it('fails with its check and what the suite says of it', () => {
    expect(judge(bad, none)).toEqual({ verdict: 'failed', lines: ['ping: no answer'] });
  });

  it('says once what failed several times', () => {
    const twice = { scenario: 'ping', checks: [...bad.checks, ...bad.checks] };
    expect(judge(twice, none).lines).toEqual(['ping: no answer (2 times)']);
  });

  it('fails for a warning', () => {
    const warned = { scenario: 'ping', checks: [check('ping', 'SUCCESS'), check('late', 'WARNING')] };
    expect(judge(warned, none)).toEqual({
      verdict: 'failed',
      lines: ['late (a warning): what late is about'],
    });
  });

  it('fails where the client did, whatever the checks say', () => {
    const complaint = 'the client ended with 1';
    expect(judge({ ...good, complaint }, none)).toEqual({ verdict: 'failed', lines: [complaint] });
  });

  it('fails where nothing was checked', () => {
    expect(judge({ scenario: 'ping', checks: [] }, none).verdict).toBe('failed');
    expect(judge({ scenario: 'ping', checks: [check('ping', 'SKIPPED')] }, none).verdict).toBe('failed');
  });

  it('is left out with its reason where its failure is expected', () => {
    expect(judge(bad, new Map([['ping', 'no pings']]))).toEqual({ verdict: 'left out', lines: ['no pings'] });
  });

  it('fails where its failure is expected and it passes', () => {
    expect(judge(good, new Map([['ping', 'no pings']])).verdict).toBe('failed');
  });

  it('passes where only a check fails that is expected to', () => {
    expect(judge(bad, new Map([['ping:ping', 'no pings']]))).toEqual({
      verdict: 'passed',
      lines: ['without ping: no pings'],
    });
  });

  it('fails where a check passes that is expected to fail', () => {
    expect(judge(good, new Map([['ping:ping', 'no pings']]))).toEqual({
      verdict: 'failed',
      lines: ['ping passes, and is listed as an expected failure: take it out'],
    });
  });
});
