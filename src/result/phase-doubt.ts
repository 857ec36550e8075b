import type { GeneratorFacts, GeneratorPhaseFacts, ResponseEnds } from './validity.js';
import { formatDuration, formatPercent } from './units.js';

/** Which of a phase's percentiles of call.response hold, which are disturbed, and why, with what helps against it. */
export interface PhaseDoubt {
  readonly medianDisturbed: boolean;
  /** `p50 and p90 hold; p99 and above are disturbed`. */
  readonly which: string;
  readonly cause: string;
  readonly advice: string;
}

/** Why figures are disturbed, and what helps against that. */
interface CauseAndAdvice {
  readonly cause: string;
  readonly advice: string;
}

type Machine = Pick<GeneratorFacts, 'cores' | 'targetOnThisMachine'>;

// From here on the generator's own work is enough to make calls wait for each other; below it, something else must have held it up.
const busyEnough = 0.3;
/** From this share of the CPU on, others can have kept the generator from running. */
export const othersEnough = 0.1;
/** With no more of the CPU unused than this, no core was free. */
export const idleNeeded = 0.1;
const timersLateNs = 3e6;
const stolenEnough = 0.01;
const heldUpEnough = 0.01;

const seeWhatStoppedIt =
  'see what stopped it (a debugger, a container limit, a suspended machine), and repeat the run';

/** null where all percentiles hold. */
export function doubtOf(phase: GeneratorPhaseFacts, machine: Machine): PhaseDoubt | null {
  const { response } = phase;
  const first = response.find(({ disturbed }) => disturbed);
  if (first === undefined) return null;
  return {
    medianDisturbed: response[0]!.disturbed,
    which: whichHold(response),
    ...(first.ownPart ? ownFault(phase, first, machine) : sleptThrough(phase, machine)),
  };
}

/** `p50 and p90 hold; p99 and above are disturbed`. */
export function whichHold(response: readonly Pick<ResponseEnds, 'title' | 'disturbed'>[]): string {
  const titles = (disturbed: boolean): string[] =>
    response.filter((each) => each.disturbed === disturbed).map(({ title }) => title);
  const [sound, not] = [titles(false), titles(true)];
  if (not.length === 0) return `${listed(sound)} ${sound.length === 1 ? 'holds' : 'hold'}`;
  const from = response.findIndex(({ disturbed }) => disturbed);
  const all = response.slice(from).every(({ disturbed }) => disturbed);
  const list = all && not.length > 1 ? `${not[0]} and above` : listed(not);
  const are = `${list} ${not.length === 1 ? 'is' : 'are'} disturbed`;
  return sound.length === 0 ? are : `${listed(sound)} ${sound.length === 1 ? 'holds' : 'hold'}; ${are}`;
}

function listed(titles: readonly string[]): string {
  return titles.length < 2 ? titles.join() : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
}

/** It was late, or did not read: by its own work, or because somebody else had the core meanwhile. */
function ownFault(
  phase: GeneratorPhaseFacts,
  { title, seen, low }: ResponseEnds,
  machine: Machine,
): CauseAndAdvice {
  const part = `of the ${formatDuration(seen)} of ${title} up to ${formatDuration(seen - low)} were the generator's`;
  const short = noneIdle(phase, machine);
  const meanwhile = short === null ? '' : `, while ${short.cause}`;
  if (phase.loop === 'burst')
    return {
      cause: `${part}: it took that long to write out the bursts and to read what came back${meanwhile}`,
      advice:
        short === null
          ? 'send fewer calls at once, or raise --workers where cores are free'
          : `${short.advice}; or send fewer calls at once`,
    };
  const atWork = `${part}, which was at work for ${formatPercent(phase.utilisation)} of the time`;
  if (phase.utilisation >= busyEnough && short !== null)
    return { cause: atWork + meanwhile, advice: `${short.advice}; or ask for less` };
  if (phase.utilisation >= busyEnough)
    return {
      cause: atWork,
      advice:
        phase.loop === 'closed'
          ? 'ask for fewer calls in flight, or raise --workers'
          : 'offer less, or raise --workers',
    };
  const busy = `${part}, though it was at work for only ${formatPercent(phase.utilisation)} of the time`;
  const taken = takenBy(phase, machine);
  if (taken !== null) return { cause: `${busy}: ${taken.cause}`, advice: taken.advice };
  if (phase.heldUpShare >= heldUpEnough)
    return {
      cause: `${busy}: it was kept from running for ${formatPercent(phase.heldUpShare)} of it`,
      advice: seeWhatStoppedIt,
    };
  if (!phase.spinning && seen - low < timersLateNs)
    return {
      cause: `${busy}: it paces by timers, which are a millisecond or two late`,
      advice: 'leave a core free for it (--workers below the number of cores), so that it can spin',
    };
  if (phase.longestTurnNs > seen - low)
    return {
      cause: `${busy}: single turns took up to ${formatDuration(phase.longestTurnNs)}`,
      advice: 'repeat the run, or spread the load over more --workers',
    };
  return { cause: busy, advice: 'repeat the run on a quiet machine' };
}

function sleptThrough(phase: GeneratorPhaseFacts, machine: Machine): CauseAndAdvice {
  const taken = takenBy(phase, machine);
  return {
    cause: `the generator was kept from running for ${formatPercent(phase.pausedShare)} of the time${taken === null ? '' : `: ${taken.cause}`}`,
    advice: taken?.advice ?? seeWhatStoppedIt,
  };
}

function takenBy(phase: GeneratorPhaseFacts, machine: Machine): CauseAndAdvice | null {
  const { stolenCpuShare } = phase;
  const others = takenByOthers(phase, machine);
  if (others !== null) return others;
  if (stolenCpuShare !== null && stolenCpuShare >= stolenEnough)
    return {
      cause: `the hypervisor took ${formatPercent(stolenCpuShare)} of the CPU time (steal)`,
      advice: 'repeat the run, on a host with cores to spare',
    };
  return null;
}

function takenByOthers(
  { othersCpuShare: others, targetCpuShare }: GeneratorPhaseFacts,
  { targetOnThisMachine }: Machine,
): CauseAndAdvice | null {
  if (others === null || others < othersEnough) return null;
  const used = `used ${formatPercent(others)} of this machine's CPU`;
  const elsewhere = 'run the generator on a machine of its own';
  return targetOnThisMachine && targetCpuShare === null
    ? { cause: `the server, or others beside it, ${used}`, advice: elsewhere }
    : { cause: `other processes ${used}`, advice: `stop them, or ${elsewhere}` };
}

/** Who took the cores of a generator that is at work: what it waits for one in the middle of a turn passes for work. null where one was free. */
export function noneIdle(phase: GeneratorPhaseFacts, machine: Machine): CauseAndAdvice | null {
  return idleShare(phase, machine) > idleNeeded ? null : takenByOthers(phase, machine);
}

/** The share of all cores that nobody used. */
export function idleShare(phase: GeneratorPhaseFacts, { cores }: Machine): number {
  const { othersCpuShare, ownCpuShare, targetCpuShare } = phase;
  return 1 - (othersCpuShare ?? 0) - (ownCpuShare ?? 0) - (targetCpuShare ?? 0) / cores;
}
