import { Workload } from '../../../src/load/workload.js';
import { dialectFor } from '../../../src/mcp/dialect.js';
import { planScenario } from '../../../src/scenario/load-scenario.js';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { parseTarget } from '../../../src/transport/http/address.js';
import { RequestHeads } from '../../../src/transport/http/request-heads.js';
import { packageVersion } from '../../../src/version.js';

/** What the other clients of a comparison send: a call without sessions, as the generator would make it of its scenario. */
export interface StreamableExchange {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  textOf(id: number): string;
  /** The whole request, as it goes out. */
  readonly request: string;
}

// As many digits as most calls of a run have.
const someId = 100_000;

/** The exchange of a scenario's only call with this target; the scenario names a revision without sessions. */
export function streamableExchange(url: string, scenario: ScenarioInput): StreamableExchange {
  const plan = planScenario(scenario, { target: url });
  const { address, path } = parseTarget(url, null);
  const [{ method, tool }] = plan.operations as [(typeof plan.operations)[number]];
  const dialect = dialectFor(plan.target, packageVersion())('classic');
  const workload = new Workload(plan);
  const textOf = (id: number): string => workload.render(0, id, 0, id, dialect);
  const ofTheCall: [string, string][] = [
    ['MCP-Protocol-Version', plan.target.protocol],
    ['Mcp-Method', method],
    ['Mcp-Name', tool ?? ''],
  ];
  const body = textOf(someId);
  const head = new RequestHeads({}).post(path, address, ofTheCall);
  return {
    path,
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...Object.fromEntries(ofTheCall),
    },
    textOf,
    request: `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`,
  };
}
