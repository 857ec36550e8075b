import type { Environment } from '../../result/result.js';
import { formatBytes } from '../../result/units.js';

/** The machine that measured, and with which version of ours, as rows of a list of facts. */
export function machineFacts(environment: Environment, toolVersion: string): [string, string][] {
  return [
    ['processor', `${environment.cores} × ${environment.cpu}`],
    ['memory', formatBytes(environment.memoryBytes)],
    ['system', environment.os],
    ['Node', environment.node],
    ['mcp-bench', toolVersion],
    ['commit', environment.git ?? ''],
  ];
}
