import { formatPercent } from '../result/units.js';
import type { Sides } from './comparability.js';
import type { ComparisonMethod, ComparisonNote, ComparisonRow } from './comparison.js';
import { inSequence } from './gates.js';
import type { KnownVariation } from './known-variation.js';

/** Variation between runs up to which so many runs a side find a true +10 % of p50 in 95 % of all cases. */
const promises = [
  { runs: 10, cv: 0.05 },
  { runs: 8, cv: 0.04 },
  { runs: 5, cv: 0.025 },
];

/** The variation between runs up to which this many runs a side keep the promise; null where they promise nothing. */
export function promisedUpTo(runs: number): number | null {
  return promises.find((promise) => runs >= promise.runs)?.cv ?? null;
}

/** Runs a side that keep the promise at this variation; null where none of those it is made for do. */
export function runsForVariation(cv: number): number | null {
  return promises.findLast((promise) => cv <= promise.cv)?.runs ?? null;
}

/** What the noise between runs means for a comparison: how large it was, what was too noisy to tell, what may have been missed. */
export function varianceNotes(
  rows: readonly ComparisonRow[],
  method: ComparisonMethod,
  sides: Sides,
  known: KnownVariation | undefined,
): ComparisonNote[] {
  return [
    ...metNotes(rows, method, sides),
    ...knownNotes(method, known),
    ...heldBackNotes(rows),
    ...turnedNotes(rows),
    ...openNotes(rows, method),
  ];
}

/** Changes that would be a verdict of their own, had there been more runs. */
function heldBackNotes(rows: readonly ComparisonRow[]): ComparisonNote[] {
  const held = rows.filter(({ verdict, doubt, turned }) => verdict !== null && doubt !== null && !turned);
  if (held.length === 0) return [];
  const names = held.map(({ metric }) => metric).join(', ');
  return [
    { state: 'doubt', code: 'held-back', message: `${names}: no verdict on the size, as ${held[0]!.doubt}.` },
  ];
}

/** Changes, or none, that the generator may have made. More runs like these would not settle them. */
function turnedNotes(rows: readonly ComparisonRow[]): ComparisonNote[] {
  return rows.flatMap(({ turned, doubt }): ComparisonNote[] =>
    turned
      ? [
          {
            state: 'doubt',
            code: 'disturbed',
            message: `${doubt}: repeat these runs where the generator has a core to itself (--rerun-disturbed, or a machine of its own).`,
          },
        ]
      : [],
  );
}

function metNotes(rows: readonly ComparisonRow[], method: ComparisonMethod, sides: Sides): ComparisonNote[] {
  const parts = rows.flatMap(({ metric, gate, variation }) =>
    gate !== null && variation !== null
      ? [`${metric} ${formatPercent(variation.cv)} (${range(variation.low, variation.high)})`]
      : [],
  );
  if (parts.length === 0) return [];
  const notes: ComparisonNote[] = [
    {
      state: 'info',
      code: 'variation',
      message: `variation between runs, with its 95 % interval: ${parts.join(', ')}.`,
    },
  ];
  const p50 = rows.find(({ metric }) => metric === 'p50');
  if (method !== 'ranks' || !p50?.variation || p50.verdict === 'regression') return notes;
  const runs = Math.min(sides.base.length, sides.head.length);
  if (p50.variation.cv > (promisedUpTo(runs) ?? 0))
    notes.push({
      state: 'doubt',
      code: 'may-miss',
      message: `at this variation ${runs} runs a side may miss a true +10 % of p50: 5 find it in 95 % of all cases up to a variation of 2.5 %, 8 up to 4 %, 10 up to 5 %.`,
    });
  return notes;
}

function range(low: number, high: number): string {
  return `${formatPercent(low)} to ${formatPercent(high)}`;
}

function knownNotes(method: ComparisonMethod, known: KnownVariation | undefined): ComparisonNote[] {
  if (method === 'ranks' || known === undefined) return [];
  return [
    known.exact
      ? {
          state: 'info',
          code: 'known-variation',
          message: `how much runs differ is taken from the ${known.source}.`,
        }
      : {
          state: 'doubt',
          code: 'known-variation-of-others',
          message: `how much runs differ is taken from the ${known.source}, which measured something else: it widens the intervals and decides nothing.`,
        },
  ];
}

/** The gate that stopped the sequence, and what would settle it. */
function openNotes(rows: readonly ComparisonRow[], method: ComparisonMethod): ComparisonNote[] {
  const open = inSequence(rows.map(({ gate }) => gate).filter((gate) => gate !== null))
    .map((gate) => rows.find((row) => row.gate === gate))
    .find((row) => row !== undefined && (row.verdict ?? 'inconclusive') === 'inconclusive');
  if (open === undefined) return [];
  const { metric, runsNeeded, verdict, doubt, turned } = open;
  if (verdict === null)
    return [{ state: 'doubt', code: 'undecided', message: `${metric} decides nothing: ${doubt ?? ''}.` }];
  const behind = rows.some(({ gate, decides }) => gate !== null && !decides);
  // What would settle it is said above.
  if (turned && !behind) return [];
  const settle = turned
    ? 'the generator may have made the difference'
    : runsNeeded === null
      ? 'more runs would probably not settle it: make them longer or quieter, or allow a larger margin'
      : `${Math.max(runsNeeded, 4)} runs a side would probably settle it at this variation${method === 'ranks' ? '' : ', and 4 are the fewest that can fail a build'}`;
  return [
    {
      state: 'doubt',
      code: 'inconclusive',
      message: `${metric} is inconclusive${behind ? ', so nothing behind it decides' : ''}: ${settle}.`,
    },
  ];
}
