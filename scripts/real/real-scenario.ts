import type { FleetServer } from '../fleet/fleet.mjs';

/** A scenario for one server, and what must come of it. */
export interface RealScenario {
  name: string;
  scenario: object;
  /** Calls, exactly. */
  started: number;
  /** Sessions that become ready, at the least. */
  sessions: number;
  /** How many places have sessions that are replaced: so many may be opening when the load ends. */
  replaced: number;
}

// Serena takes 0.4 s of its one thread for each session and 0.1 s for each call.
const full = { sessions: 10, calls: 300, burst: 4, bursts: 2, perSecond: 60, seconds: 3 };
const small = { sessions: 3, calls: 12, burst: 2, bursts: 2, perSecond: 3, seconds: 4 };

/** How large the scenarios are. */
interface Size {
  sessions: number;
  calls: number;
  burst: number;
  bursts: number;
  perSecond: number;
  seconds: number;
}

/** What a machine of two cores can hold where each session is a process. */
export const sizeOfProcesses: Size = {
  sessions: 3,
  calls: 300,
  burst: 10,
  bursts: 2,
  perSecond: 40,
  seconds: 6,
};

/** The stock scenarios smoke, burst and churn, scaled down to what this server can hold, with counts that can be told before. */
export function realScenarios(
  server: FleetServer,
  dataFile: string,
  target: object = {},
  size: Size = server.calls.echo ? full : small,
): RealScenario[] {
  const timeouts = { connect: '10s', handshake: '40s', call: '40s' };
  const basics = { ...mixFor(server, dataFile), target, timeouts, workers: 1, seed: 7 };
  const { sessions, calls, burst, bursts, perSecond, seconds } = size;
  return [
    {
      name: 'smoke',
      started: calls,
      sessions,
      replaced: 0,
      scenario: { ...basics, sessions, load: { model: 'count', calls, inFlight: 2 } },
    },
    {
      name: 'burst',
      started: sessions * burst * bursts,
      sessions,
      replaced: 0,
      scenario: {
        ...basics,
        sessions: { count: sessions, open: '10/s' },
        load: { model: 'burst', calls: burst, every: '1s' },
        duration: `${bursts}s`,
      },
    },
    {
      name: 'churn',
      started: perSecond * seconds,
      // Each session lives for a fraction of the run, so each place is filled again at least once.
      sessions: sessions * 2,
      replaced: sessions,
      scenario: {
        ...basics,
        sessions: { count: sessions, open: '10/s', lifetime: `${seconds / 3}s` },
        load: { model: 'rate', perSecond, arrivals: 'uniform' },
        duration: `${seconds}s`,
      },
    },
  ];
}

/** What is echoed, as a file of data rows. */
export function dataTexts(): string {
  const texts = Array.from({ length: 500 }, (_, n) => ({ message: `${n} "\\ é\u2028\n ${n * 7919}` }));
  return texts.map((row) => JSON.stringify(row)).join('\n');
}

// The calls that a server can be given, each with what it must answer.
function mixFor({ calls }: FleetServer, dataFile: string): { calls: object[]; data?: string } {
  const { echo, counter, cheap } = calls;
  const mix: object[] = [];
  if (echo?.answer === 'hello')
    mix.push({
      tool: echo.tool,
      weight: 3,
      arguments: { message: '{{session}}/{{seq}} {{hex 16}} "\\ é\u2028\n' },
      expect: 'echo',
    });
  else if (echo)
    mix.push({
      tool: echo.tool,
      weight: 3,
      arguments: { message: '{{data.message}}' },
      expect: { path: 'content[0].text', equals: echo.answer?.replace('hello', '{{data.message}}') },
    });
  if (counter) mix.push({ tool: counter.tool });
  if (cheap) mix.push({ tool: cheap.tool, arguments: cheap.arguments, expect: { isError: false } });
  const usesData = echo !== undefined && echo.answer !== 'hello';
  return usesData ? { calls: mix, data: dataFile } : { calls: mix };
}
