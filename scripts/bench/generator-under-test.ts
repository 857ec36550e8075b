import type { ScenarioInput } from '../../src/scenario/schema.js';
import type { MockProcess } from '../../src/target/built-in-mock.js';
import { runProgram } from './child-program.js';
import type { GeneratorFigures } from './clients/generator.js';
import { readCounts, resetCounts } from './mock-under-test.js';

export interface GeneratorLoad {
  readonly sessions: number;
  readonly inFlight: number;
  readonly posts: 'serial' | 'pipelined';
  /** The revision of MCP over Streamable HTTP; none: over HTTP+SSE. */
  readonly protocol?: '2025-11-25' | '2026-07-28';
  readonly workers: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

/** Runs the generator against the mock; throws unless every call was answered and both counted the same. */
export async function runGenerator(mock: MockProcess, load: GeneratorLoad): Promise<GeneratorFigures> {
  const figures = await runLossyGenerator(mock, load);
  if (figures.ok !== figures.sent)
    throw new Error(
      `of ${figures.sent} calls ${figures.ok} were answered: ${JSON.stringify(figures.examples)}`,
    );
  return figures;
}

/** The same where calls may be lost; throws where what was sent, received and answered cannot be true together. */
export async function runLossyGenerator(mock: MockProcess, load: GeneratorLoad): Promise<GeneratorFigures> {
  await resetCounts(mock);
  const limitMs = (load.warmupSeconds + load.seconds) * 1000 + 120_000;
  const url = load.protocol === undefined ? mock.urls.sse : mock.urls.streamable;
  const options = { url, scenario: scenarioOf(load) };
  const figures = await runProgram<GeneratorFigures>('clients/generator', options, limitMs);
  const { received } = (await readCounts(mock)).calls;
  if (received > figures.sent || received < figures.ok)
    throw new Error(
      `the generator sent ${figures.sent} calls and had ${figures.ok} answered, the mock received ${received}`,
    );
  return figures;
}

/** Flat out, and every answer checked: what comes back must be what was sent. */
export function scenarioOf(load: GeneratorLoad): ScenarioInput {
  return {
    name: 'bench',
    ...(load.protocol === undefined ? {} : { target: { transport: 'streamable', protocol: load.protocol } }),
    sessions: load.sessions,
    posts: load.posts,
    workers: load.workers,
    warmup: `${load.warmupSeconds * 1000}ms`,
    duration: `${load.seconds * 1000}ms`,
    load: { model: 'closed', inFlight: load.inFlight },
    calls: [{ tool: 'echo', arguments: { message: 'hello {{seq}}' }, expect: 'echo' }],
    timeouts: { connect: '30s', handshake: '60s' },
  };
}
