// Step of action.yml: builds mcp-bench in the action's own checkout; nothing to do where a step before has built it.
import { fail } from './workflow.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(
    `Node ${process.versions.node} is too old: mcp-bench needs 20.19. Set the input node-version, e.g. to 22.`,
  );
const { ensureBuilt } = await import('../ready.mjs');
ensureBuilt();
