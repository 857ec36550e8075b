import { z } from 'zod';
import { durationNs, share, textBytes } from '../config/config-fields.js';

/** How the mock behaves on stdin and stdout. What nobody sets is as in `plainStdio`. */
export const stdioSchema = z.strictObject({
  eras: z.enum(['both', 'sessions', 'stateless']),
  lineEnding: z.enum(['lf', 'crlf']),
  session: z
    .int()
    .min(0)
    .describe(
      'which session this process is, for random choices: those of one number are the same in all processes',
    ),
  // What is not MCP
  startDelay: durationNs.describe('nothing is read before'),
  noiseAtStart: z
    .int()
    .min(0)
    .max(100_000)
    .describe('lines that are not JSON, on stdout before anybody asks'),
  noise: share.describe('share of the calls before which such a line is written'),
  stderrAtStart: textBytes.describe('bytes on stderr before anything is read'),
  stderrPerCall: textBytes.describe('bytes on stderr for every call'),
  // How bytes leave
  pieces: z.int().min(0).describe('what is written goes out in pieces of that many bytes; 0: whole'),
  pieceGap: durationNs.describe('the time between two pieces'),
  // How it ends
  die: z
    .enum(['never', 'start', 'initialize', 'initialized'])
    .describe(
      'it ends at once, in the middle of `initialize` without an answer, or when the handshake is done',
    ),
  dieAfterCalls: z
    .int()
    .min(0)
    .describe('it ends without an answer at the first call beyond so many; 0: never'),
  stayAfterEof: durationNs.describe('how long it goes on when stdin has ended'),
  dropAtEof: z.boolean().describe('calls that are not answered when stdin ends never are'),
  ignoreTerm: z.boolean().describe('SIGTERM does not end it'),
  childHoldsPipes: durationNs.describe('a child process that has the same pipes lives that long'),
  // MCP
  inputRequired: share.describe(
    'share of the calls that are answered `input_required` first, in the stateless era',
  ),
  listChanges: durationNs.describe('how often changed lists are announced; 0: never'),
});
export type StdioOptions = z.infer<typeof stdioSchema>;
