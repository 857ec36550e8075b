import { Failure } from '../../failure.js';
import { checkWritable, writeFileWhole } from '../../result/write-file.js';
import { didYouMean } from '../../scenario/did-you-mean.js';
import { tell } from '../tell.js';

/** A report asked for by `--report kind=FILE`. */
export interface ReportFile<Kind extends string> {
  kind: Kind;
  path: string;
}

/** Reads `--report` options; the kinds are those that the command knows. A file that cannot be written is refused at once; `-` is standard output. */
export function parseReportFiles<Kind extends string>(
  options: readonly string[] | undefined,
  kinds: readonly Kind[],
  flag = '--report',
): ReportFile<Kind>[] {
  return (options ?? []).map((option) => {
    const at = option.indexOf('=');
    const kind = kinds.find((kind) => kind === option.slice(0, Math.max(0, at)));
    const path = option.slice(at + 1);
    if (kind === undefined || path === '')
      throw new Failure(
        `${flag}: expected kind=FILE with one of the kinds ${kinds.join(', ')}, found "${option}"${didYouMean(option.split('=')[0]!, kinds)}`,
      );
    if (path !== '-') checkWritable(path);
    return { kind, path };
  });
}

/** Writes each report to its file and says so on standard error. */
export function writeReportFiles<Kind extends string>(
  files: readonly ReportFile<Kind>[],
  make: Readonly<Record<Kind, () => string>>,
): void {
  for (const { kind, path } of files) writeReportFile(path, make[kind]());
}

/** Writes one report and says so on standard error; `-` is standard output, of which nobody need read the end. */
export function writeReportFile(path: string, text: string): void {
  if (path === '-') {
    // Which takes no offence where its reader has gone.
    console.log(text.replace(/\n$/, ''));
    return;
  }
  writeFileWhole(path, text);
  tell(`wrote ${path}`);
}
