import type { GeneratorPhaseFacts, ResponseEnds } from './validity.js';
import { formatDuration, formatPercent } from './units.js';

/** Which of a phase's percentiles of call.response hold, which are disturbed, and why, with what helps against it. */
export interface PhaseDoubt {
  readonly medianDisturbed: boolean;
  /** `p50 and p90 hold; p99 and above are disturbed`. */
  readonly which: string;
  readonly cause: string;
  readonly advice: string;
}

// From here on the generator's own work is enough to make calls wait for each other; below it, something else must have held it up.
const busyEnough = 0.3;
const othersEnough = 0.1;
const timersLateNs = 3e6;
const stolenEnough = 0.01;
const heldUpEnough = 0.01;

const seeWhatStoppedIt =
  'see what stopped it (a debugger, a container limit, a suspended machine), and repeat the run';

/** null where all percentiles hold. */
export function doubtOf(phase: GeneratorPhaseFacts): PhaseDoubt | null {
  const { response } = phase;
  const first = response.find(({ disturbed }) => disturbed);
  if (first === undefined) return null;
  return {
    medianDisturbed: response[0]!.disturbed,
    which: whichHold(response),
    ...(first.ownPart ? ownFault(phase, first) : sleptThrough(phase)),
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
): { cause: string; advice: string } {
  const part = `of the ${formatDuration(seen)} of ${title} up to ${formatDuration(seen - low)} were the generator's`;
  if (phase.loop === 'burst')
    return {
      cause: `${part}: it took that long to write out the bursts and to read what came back`,
      advice: 'send fewer calls at once, or raise --workers where cores are free',
    };
  if (phase.utilisation >= busyEnough)
    return {
      cause: `${part}, which was at work for ${formatPercent(phase.utilisation)} of the time`,
      advice:
        phase.loop === 'closed'
          ? 'ask for fewer calls in flight, or raise --workers'
          : 'offer less, or raise --workers',
    };
  const busy = `${part}, though it was at work for only ${formatPercent(phase.utilisation)} of the time`;
  const taken = takenBy(phase);
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

function sleptThrough(phase: GeneratorPhaseFacts): { cause: string; advice: string } {
  const { pausedShare } = phase;
  const taken = takenBy(phase);
  return {
    cause: `the generator was kept from running for ${formatPercent(pausedShare)} of the time${taken === null ? '' : `: ${taken.cause}`}`,
    advice: taken?.advice ?? seeWhatStoppedIt,
  };
}

function takenBy({
  stolenCpuShare,
  othersCpuShare,
}: GeneratorPhaseFacts): { cause: string; advice: string } | null {
  if (othersCpuShare !== null && othersCpuShare >= othersEnough)
    return {
      cause: `other processes used ${formatPercent(othersCpuShare)} of this machine's CPU`,
      advice: 'stop them, or run the generator on a machine of its own',
    };
  if (stolenCpuShare !== null && stolenCpuShare >= stolenEnough)
    return {
      cause: `the hypervisor kept this machine's cores from running for ${formatPercent(stolenCpuShare)} of the time`,
      advice: 'repeat the run, on a host with cores to spare',
    };
  return null;
}
