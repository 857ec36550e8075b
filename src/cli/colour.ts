/** Colours on a terminal, unless a flag, FORCE_COLOR or NO_COLOR says otherwise, in this order. */
export function wantsColour(
  flag: boolean | undefined,
  isTerminal: boolean = process.stdout.isTTY === true,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  if (flag !== undefined) return flag;
  const { FORCE_COLOR: forced, NO_COLOR: none } = environment;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && (none === undefined || none === '');
}
