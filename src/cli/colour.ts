/** Colours on a terminal, unless a flag or NO_COLOR says otherwise. */
export function wantsColour(flag: boolean | undefined): boolean {
  return flag ?? (process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined);
}
