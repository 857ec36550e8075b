/** What helps where no session became ready: see ShippedTransport. */
export function adviseStdio(kind: string, message: string): string {
  if (kind === 'spawn' && message.includes('no such command'))
    return '. A command is a program and its arguments, and no line for a shell; a relative path is found from its cwd';
  if (kind === 'timeout') return ': it was started and did not answer initialize on its standard output';
  if (kind === 'exited') return '. Does it serve stdio, or does it need an argument for that?';
  return '';
}
