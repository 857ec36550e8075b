/** Colours by what they mean; without colour all of them leave the text as it is. */
export interface Style {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  doubt(text: string): string;
  bad(text: string): string;
}

/** Makes a style; the codes are those that every terminal knows. */
export function createStyle(colour: boolean): Style {
  const paint =
    (on: number, off: number) =>
    (text: string): string =>
      colour && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    strong: paint(1, 22),
    faint: paint(2, 22),
    good: paint(32, 39),
    doubt: paint(33, 39),
    bad: paint(31, 39),
  };
}
