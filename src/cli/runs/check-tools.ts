import { Failure } from '../../failure.js';
import { findMissingTools, type MissingTools } from '../../probe/find-missing-tools.js';
import { didYouMean } from '../../scenario/did-you-mean.js';
import type { Plan } from '../../scenario/plan.js';
import { cut, longestName } from '../../text/cut.js';
import { redact } from '../../text/secrets.js';

const longestWaitMs = 3000;
const longestList = 300;

async function ofBuiltInMock(wanted: readonly string[]): Promise<MissingTools> {
  const { builtInTools } = await import('../../../mock-server/tools/built-in-tools.js');
  const known = builtInTools(1).map(({ name }) => name);
  return { known, missing: wanted.filter((tool) => !known.includes(tool)) };
}

/** Refuses a plan that calls tools which its server does not list: a run of it would measure nothing but refusals. */
export async function checkTools({ target, operations, timeouts }: Plan): Promise<void> {
  const wanted = [...new Set(operations.flatMap(({ tool }) => tool ?? []))];
  // What is started for the run is not there yet.
  if (wanted.length === 0 || target.command !== undefined) return;
  const found =
    target.url === ''
      ? await ofBuiltInMock(wanted)
      : await findMissingTools(target, wanted, Math.min(longestWaitMs, timeouts.handshakeNs / 1e6));
  if (found === null || found.missing.length === 0) return;
  const { missing, known } = found;
  const listed = known.length === 0 ? 'none' : cut(known.join(', '), longestList);
  throw new Failure([
    ...missing
      .slice(0, 10)
      .map((tool) =>
        redact(
          `the server has no tool "${cut(tool, longestName)}"${didYouMean(tool, known)} (it has: ${listed})`,
        ),
      ),
    'to call one of its own instead: --tool NAME; to draft a scenario from its tools: mcp-bench init URL',
  ]);
}
