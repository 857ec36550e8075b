import { printableWords, redactAll, redactGiven } from '../text/secrets.js';
import type { ProbeReport } from './probe-report.js';

/** A report without secrets: hidden in what the server said and in its URL, and not in words of ours, which programs go by. */
export function printableProbe(report: ProbeReport): ProbeReport {
  const {
    schema,
    command,
    at,
    transport,
    era,
    replies,
    dialect,
    capabilities,
    tools,
    calls,
    stream,
    keepAlive,
    departures,
  } = report;
  const said = redactAll(report);
  return {
    ...said,
    schema,
    ...(command === undefined ? {} : { command: printableWords(command) }),
    at,
    transport,
    era,
    replies,
    dialect: dialect === null ? null : { ...redactAll(dialect), name: dialect.name },
    capabilities: redactGiven(capabilities),
    tools: {
      ...said.tools,
      from: tools.from,
      tools: tools.tools.map((tool) => ({
        ...redactAll(tool),
        inputSchema: redactGiven(tool.inputSchema),
        risk: tool.risk,
      })),
    },
    calls: { ...said.calls, arguments: redactGiven(calls.arguments) },
    stream: stream === null ? null : { ...redactAll(stream), spaceAfterColon: stream.spaceAfterColon },
    keepAlive:
      keepAlive === null
        ? null
        : { ...keepAlive, seen: keepAlive.seen.map((each) => ({ ...redactAll(each), kind: each.kind })) },
    departures: departures.map((each) => ({ ...each, found: redactAll(each.found) })),
  };
}
