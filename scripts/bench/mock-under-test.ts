import { type MockProcess, startMockProcess } from '../../src/target/built-in-mock.js';
import { runProgram } from './child-program.js';
import type { ReferenceFigures, ReferenceOptions } from './clients/reference-client.js';

/** The part of `/stats` that benchmarks check themselves against. */
export interface MockCounts {
  readonly sessions: { readonly opened: number; readonly open: number };
  readonly posts: { readonly byStatus: Readonly<Record<string, number>> };
  readonly messages: { readonly byMethod: Readonly<Record<string, number>> };
  readonly calls: { readonly received: number };
  readonly responsesSent: number;
  /** What was done on purpose, by fault. */
  readonly injected: Readonly<Record<string, number>>;
}

/** Starts the mock in a process of its own, and drives it until its code is compiled as it will be. */
export async function startWarmMock(args: readonly string[] = []): Promise<MockProcess> {
  const mock = await startMockProcess(args);
  for (const mode of ['pipelined', 'plain'] as const)
    await runReference({ url: mock.url, mode, lanes: 20, inFlight: 4, warmupSeconds: 0.5, seconds: 0.5 });
  return mock;
}

/** Runs the reference client. */
export function runReference(options: ReferenceOptions): Promise<ReferenceFigures> {
  const limitMs = (options.warmupSeconds + options.seconds) * 1000 + 60_000;
  return runProgram<ReferenceFigures>('clients/reference-client', options, limitMs);
}

/** Runs it against a mock and throws unless both counted the same. */
export async function runCheckedReference(
  mock: MockProcess,
  options: Omit<ReferenceOptions, 'url'>,
): Promise<ReferenceFigures> {
  await resetCounts(mock);
  const figures = await runReference({ ...options, url: mock.url });
  const { calls, posts, messages } = await readCounts(mock);
  const { initialize = 0, 'notifications/initialized': confirmed = 0 } = messages.byMethod;
  const accepted = posts.byStatus['202'] ?? 0;
  const expected = figures.sent + initialize + confirmed;
  if (accepted !== expected || (options.mode !== 'plain' && calls.received !== figures.sent))
    throw new Error(
      `the client sent ${expected} messages, the mock accepted ${accepted} of them and ${calls.received} calls`,
    );
  return figures;
}

/** Sets the mock's counts to zero. */
export async function resetCounts(mock: MockProcess): Promise<void> {
  await fetch(new URL('/stats?reset', mock.url));
}

/** What the mock counted. */
export async function readCounts(mock: MockProcess): Promise<MockCounts> {
  return (await mock.stats()) as MockCounts;
}
