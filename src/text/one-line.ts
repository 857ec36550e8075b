// Controls, the marks that turn the direction of text or show nothing, ends of lines, halves of surrogate pairs.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Text from elsewhere (servers, scenarios, files) as one line that cannot take hold of a terminal, nor of a page. */
export function oneLine(text: string): string {
  return text.replace(unprintable, ' ').trim();
}

/** The same for text of several lines and with tabs; each character that cannot be printed leaves a mark. */
export function printableText(text: string): string {
  return text.replace(unprintable, (run) => run.replace(/[^\n\t]/gu, '\ufffd'));
}

// GitHub's older form `##[error]`, Azure's `##vso[…]`, TeamCity's `##teamcity[…]`: looked for anywhere in a line, and known to all logs alike.
const logCommand = /##(?=\w*\[)/g;

/** Text for the log of a job, in which no CI system finds a command of its own, wherever in a line it stands. */
export function withoutCommands(text: string): string {
  return text.replace(logCommand, '# #');
}

/** JSON that can be shown on a terminal and in the log of a job as it is: what cannot be printed, or begins a command there, is escaped, as JSON allows. */
export function printableJson(json: string): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unprintable, (run) => run.replace(/[^\n]/g, escaped)).replace(logCommand, '#\\u0023');
}
