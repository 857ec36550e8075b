import type { StdioOptions } from './stdio-options.js';

/** What holds on stdin and stdout where the user does not say otherwise. */
export const plainStdio: StdioOptions = {
  eras: 'both',
  lineEnding: 'lf',
  session: 0,
  startDelay: 0,
  noiseAtStart: 0,
  noise: 0,
  stderrAtStart: 0,
  stderrPerCall: 0,
  pieces: 0,
  pieceGap: 1e6,
  die: 'never',
  dieAfterCalls: 0,
  stayAfterEof: 0,
  dropAtEof: false,
  ignoreTerm: false,
  childHoldsPipes: 0,
  inputRequired: 0,
  listChanges: 0,
};
