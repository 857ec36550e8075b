/** A tool as its server describes it. */
export interface ProbedTool {
  readonly name: string;
  readonly description: string;
  /** As the server wrote it: `readSchema` says what can be relied on. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations | null;
  readonly risk: ToolRisk;
  /** Why no arguments can be made up for it; null where they can. */
  readonly unfit: string | null;
}

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * What calling it again and again may do: `none` where it says that it only reads or destroys nothing, `unmarked` where it says
 * nothing and its name sounds harmless, `by-name` where its name does not, `destructive` where its annotations say so.
 */
export type ToolRisk = 'none' | 'unmarked' | 'by-name' | 'destructive';

const changing = new Set(
  (
    'delete remove drop destroy kill purge erase truncate wipe reset clear uninstall shutdown stop terminate revoke ban overwrite write ' +
    'update modify edit replace insert create put post patch move rename upload send mail email publish push commit merge deploy pay ' +
    'charge transfer buy order execute exec shell eval command spawn install restart reboot save store submit grant assign sync apply'
  ).split(' '),
);

/** Whether a word of this name (`delete_file`, `sendMail`) says that something is changed. */
export function soundsLikeChange(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  // A lone `add` adds numbers; `add_user` does not.
  return words.some((word) => changing.has(word)) || (words.length > 1 && words[0] === 'add');
}

/** The risk of a tool by its annotations, whose defaults are those of the specification, or else by its name. */
export function riskOf(name: string, annotations: ToolAnnotations | null): ToolRisk {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  if (readOnlyHint === true) return 'none';
  if (destructiveHint === true || (readOnlyHint === false && destructiveHint === undefined))
    return 'destructive';
  if (destructiveHint === false) return 'none';
  return soundsLikeChange(name) ? 'by-name' : 'unmarked';
}

/** What to do about a server all of whose tools are marked destructive; null where not all are. */
export function allMarked(tools: readonly Pick<ProbedTool, 'risk'>[]): string | null {
  if (tools.length === 0 || tools.some(({ risk }) => risk !== 'destructive')) return null;
  return 'All its tools are marked destructive, as some libraries (mcp-go) mark whatever nobody marked otherwise: if they are not, add --allow-destructive';
}
