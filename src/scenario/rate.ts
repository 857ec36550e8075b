const perSeconds: Readonly<Record<string, number>> = { s: 1, sec: 1, min: 60, m: 60, h: 3600 };

/** What a rate looks like, for schemas of editors. */
export const ratePattern = /^\d+(\.\d+)?\/(s|sec|min|m|h)$/;

/** What to say where a rate was expected. */
export const rateExpected = 'a rate such as 500/s or 30/min';

/** Events per second of a rate such as `500/s` or `30/min`; null if the text is none. */
export function parseRate(text: string): number | null {
  if (!ratePattern.test(text)) return null;
  const [amount, unit] = text.split('/') as [string, string];
  const perSec = Number(amount) / perSeconds[unit]!;
  return Number.isFinite(perSec) ? perSec : null;
}

/** A rate as a scenario has it: to the minute where it is less than one a second. */
export function writtenRate(perSec: number): string {
  return perSec > 0 && perSec < 1 ? `${trim(perSec * 60)}/min` : `${trim(perSec)}/s`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(3)));
}
