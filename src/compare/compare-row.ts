import { blockBootstrap } from './block-bootstrap.js';
import type { Sides } from './comparability.js';
import type { ComparisonMethod, ComparisonRow } from './comparison.js';
import { compareErrorRates, errorMargins, judgeErrorRates } from './error-rate.js';
import { fewRuns, type RatioEstimate } from './few-runs.js';
import type { Gate, OverallGate } from './gates.js';
import { hodgesLehmann } from './hodges-lehmann.js';
import type { IntervalCounts } from './interval-blocks.js';
import { coarseEdges } from './interval-counts.js';
import type { KnownVariation } from './known-variation.js';
import type { Levels } from './levels.js';
import { median } from './median.js';
import { atEnd, type ComparedMetric, errorsOf, type Figure } from './run-figures.js';
import { runsNeeded, runsNeededForErrors } from './runs-needed.js';
import { betweenRunVariation } from './variance.js';
import { judge, ratioMargins, type Margins, type Verdict } from './verdict.js';

/** What all rows of a comparison share. */
export interface RowContext {
  sides: Sides;
  method: ComparisonMethod;
  margins: Readonly<Record<OverallGate, number> & Partial<Record<Gate, number>>>;
  floorNs: number;
  levels: Levels;
  known: KnownVariation | undefined;
  asked: readonly Gate[];
  /** The seconds of a single run a side; decoded when first asked for, as it takes long. */
  seconds(): { base: IntervalCounts[]; head: IntervalCounts[] };
}

/** The row of the error rates. */
export function compareErrors(context: RowContext): ComparisonRow {
  const { sides, method, margins, levels, asked } = context;
  const [base, head] = [sides.base.map(errorsOf), sides.head.map(errorsOf)];
  const estimate = compareErrorRates(base, head, levels.others);
  const gate = asked.includes('errors') ? 'errors' : null;
  const judged = judgeErrorRates(estimate, margins.errors);
  const verdict = gate === null ? null : method === 'ranks' ? judged : capped(judged);
  return {
    metric: 'errors',
    gate,
    tool: null,
    unit: 'share',
    base: estimate.base,
    head: estimate.head,
    runs: {
      base: base.map(({ count, total }) => count / total),
      head: head.map(({ count, total }) => count / total),
    },
    scale: 'difference',
    effect: estimate.difference,
    interval: estimate.interval,
    equivalence: estimate.equivalence,
    direction: direction(estimate.interval, 0, 'up'),
    verdict,
    decides: false,
    doubt: verdict === judged || gate === null ? null : cappedBecause(context),
    weak: false,
    disturbed: 0,
    turned: false,
    margins: errorMargins(estimate, margins.errors),
    variation: null,
    runsNeeded: verdict === 'inconclusive' ? (runsNeededForErrors(base, head, margins.errors) ?? null) : null,
  };
}

/** The row of a metric whose change is a ratio; none where one of the runs does not have it. */
export function compareRatio(compared: ComparedMetric, context: RowContext): ComparisonRow[] {
  const { sides, method } = context;
  const [base, head] = [readAll(compared, sides.base), readAll(compared, sides.head)];
  if (base === undefined || head === undefined) return [];
  const values = { base: base.map(({ value }) => value), head: head.map(({ value }) => value) };
  const margins = marginsOf(compared, median(values.base), context);
  const estimate = estimateRatio(compared, values, context);
  const gate = compared.gate !== null && context.asked.includes(compared.gate) ? compared.gate : null;
  const judged = judgeRow(estimate, margins, gate, context);
  const disturbed = [...base, ...head].filter((figure) => figure.disturbed).length;
  // What is inconclusive by the figures themselves, no sound figure would have decided for certain.
  const turned =
    disturbed > 0 &&
    gate !== null &&
    judged.verdict !== 'inconclusive' &&
    !holdsAtBothEnds(judged.verdict, compared, { base, head }, gate, context);
  const { verdict, doubt } = turned
    ? { verdict: 'inconclusive' as const, doubt: disturbedBecause(compared.metric, disturbed, context) }
    : judged;
  const variation = betweenRunVariation([values.base, values.head]) ?? null;
  const sdLog = variation?.sdLog ?? context.known?.metrics[compared.metric]?.sdLog;
  const seen = { ratio: estimate.ratio, runs: Math.min(sides.base.length, sides.head.length) };
  return [
    {
      metric: compared.metric,
      gate,
      tool: compared.tool,
      unit: compared.unit,
      base: median(values.base),
      head: median(values.head),
      runs: values,
      scale: 'ratio',
      effect: estimate.ratio,
      interval: estimate.interval ?? null,
      equivalence: estimate.equivalence ?? null,
      direction:
        method === 'one run' && !estimate.seesRuns ? null : direction(estimate.interval, 1, compared.worse),
      verdict,
      decides: false,
      doubt,
      weak: [...base, ...head].some(({ weak }) => weak),
      disturbed,
      turned,
      margins,
      variation,
      runsNeeded:
        verdict === 'inconclusive' && sdLog !== undefined && !turned
          ? (runsNeeded({ ...seen, sdLog }, margins) ?? null)
          : null,
    },
  ];
}

/** Whether the verdict is the same if what the generator may have added was all in the one side, or all in the other. */
function holdsAtBothEnds(
  verdict: Verdict | null,
  compared: ComparedMetric,
  { base, head }: { base: readonly Figure[]; head: readonly Figure[] },
  gate: Gate,
  context: RowContext,
): boolean {
  // The seconds of a single run cannot be moved to an end.
  if (context.method === 'one run' && compared.statistic !== null) return verdict === null;
  return (['low', 'high'] as const).every((end) => {
    const values = { base: atEnd(base, end), head: atEnd(head, end === 'low' ? 'high' : 'low') };
    // At its least a figure may be nothing, of which there is no ratio.
    if ([...values.base, ...values.head].some((value) => value === 0)) return false;
    const margins = marginsOf(compared, median(values.base), context);
    const found = judgeRow(estimateRatio(compared, values, context), margins, gate, context).verdict;
    return found === verdict;
  });
}

function disturbedBecause(metric: string, count: number, { sides }: RowContext): string {
  const runs = sides.base.length + sides.head.length;
  return `${metric} is disturbed in ${count} of the ${runs} runs, enough to turn the verdict`;
}

function readAll(compared: ComparedMetric, runs: Sides['base']): Figure[] | undefined {
  const figures = runs.map((run) => compared.read(run)).filter((figure) => figure !== undefined);
  return figures.length === runs.length ? figures : undefined;
}

interface RowEstimate extends RatioEstimate {
  /** The interval includes the noise between runs. */
  seesRuns: boolean;
  /** It may fail a build. */
  firm: boolean;
  doubt: string | null;
}

function estimateRatio(
  compared: ComparedMetric,
  values: { base: number[]; head: number[] },
  context: RowContext,
): RowEstimate {
  const { method, levels, known } = context;
  if (method === 'ranks')
    return {
      ...hodgesLehmann(values.base, values.head, levels.ranks),
      seesRuns: true,
      firm: true,
      doubt: null,
    };
  const spread = known?.metrics[compared.metric];
  const firm = spread !== undefined && known!.exact;
  const doubt = firm ? null : cappedBecause(context);
  if (method === 'one run' && compared.statistic !== null) {
    const { base, head } = context.seconds();
    const found = blockBootstrap(base, head, {
      statistic: compared.statistic,
      edgesOf: coarseEdges,
      betweenRuns: spread,
      confidence: levels.others,
    });
    if (found.kind === 'estimate') return { ...found, firm, doubt };
    const few = fewRuns(values.base, values.head, levels.others, spread);
    const why =
      found.kind === 'no samples'
        ? 'no call was answered'
        : `a single run needs ${found.needed} whole seconds, and one has ${found.had}`;
    return { ...few, seesRuns: few.interval !== undefined, firm: false, doubt: why };
  }
  const few = fewRuns(values.base, values.head, levels.others, spread);
  return { ...few, seesRuns: few.interval !== undefined, firm, doubt };
}

function judgeRow(
  estimate: RowEstimate,
  margins: Margins,
  gate: Gate | null,
  context: RowContext,
): { verdict: Verdict | null; doubt: string | null } {
  if (gate === null) return { verdict: null, doubt: null };
  if (!estimate.seesRuns) return { verdict: null, doubt: estimate.doubt ?? cappedBecause(context) };
  const judged = judge({ ...estimate, effect: estimate.ratio }, margins);
  const verdict = estimate.firm ? judged : capped(judged);
  return { verdict, doubt: verdict === judged ? null : (estimate.doubt ?? cappedBecause(context)) };
}

/** What too few runs may say at most: that there is a change, never that it is large enough to fail anybody. */
function capped(verdict: Verdict): Verdict {
  if (verdict === 'regression') return 'slower, size uncertain';
  return verdict === 'improvement' ? 'faster, size uncertain' : verdict;
}

function cappedBecause({ method, sides, known }: RowContext): string {
  const fewest = Math.min(sides.base.length, sides.head.length);
  if (method === 'one run' && known === undefined)
    return 'one run a side cannot show how much runs differ: repeat them, or run mcp-bench calibrate';
  return `${fewest === 1 ? 'a single run' : `${fewest} runs`} on a side can fail nobody: 4 a side can`;
}

function marginsOf(compared: ComparedMetric, typical: number, context: RowContext): Margins {
  const asked = compared.gate === null ? undefined : context.margins[compared.gate];
  return ratioMargins({
    margin: asked ?? context.margins[compared.metric.endsWith('p50') ? 'p50' : 'p99'],
    floor: compared.unit === 'ns' ? context.floorNs : 0,
    typical,
    worse: compared.worse,
  });
}

function direction(
  interval: { low: number; high: number } | undefined,
  none: number,
  worse: 'up' | 'down',
): 'worse' | 'better' | null {
  if (interval === undefined) return null;
  if (interval.low > none) return worse === 'up' ? 'worse' : 'better';
  if (interval.high < none) return worse === 'down' ? 'worse' : 'better';
  return null;
}
