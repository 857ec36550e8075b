import type { TargetInfo } from './result.js';

/** Where a target is, for people: its URL, or the command that it is. */
export function targetAddress({ url, command }: Pick<TargetInfo, 'url' | 'command'>): string {
  return url ?? command?.join(' ') ?? '';
}
