/** Exit codes of the command line: the whole list. */
export const ExitCode = {
  pass: 0,
  runFailed: 1,
  usage: 2,
  invalid: 3,
  regression: 4,
  thresholds: 99,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** What the user can put right: one clear message that says how, and the exit code it leads to. Bugs throw plain errors. */
export class Failure extends Error {
  /** What stands in a line of its own; ends of lines inside one are somebody else's, and none to be kept. */
  readonly lines: readonly string[];

  constructor(
    message: string | readonly string[],
    readonly exitCode: ExitCode = ExitCode.usage,
  ) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'));
    this.lines = lines;
    this.name = 'Failure';
  }
}
