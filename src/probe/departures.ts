import type { DialectName } from '../scenario/plan.js';
import { aboutRobustness, aboutPosts, aboutResponses, aboutStrays } from './answer-departures.js';
import { type Departure, type Found, must, type Observed, transport } from './departure.js';
import { cut } from '../text/cut.js';

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

// What a dialect's own document says makes no bad server of it; it is listed all the same, and marked.
const usualIn: Readonly<Record<DialectName, readonly string[]>> = {
  classic: [],
  rmcp: [],
  serena: ['endpoint-unnamed'],
  workspace: ['no-endpoint', 'response-event', 'broadcast', 'foreign-id'],
  pymcp: ['endpoint-json', 'protocol-version', 'capabilities', 'ping', 'no-tools-list', 'unknown-method'],
};

/** The rules of the protocol that a server was seen to break, each with what was found instead. */
export function findDepartures(observed: Observed): Departure[] {
  const found: Omit<Departure, 'ofDialect'>[] = [
    ...aboutOpening(observed),
    ...aboutInitialize(observed),
    ...aboutResponses(observed),
    ...aboutPosts(observed),
    ...aboutTools(observed),
    ...aboutStrays(observed),
    ...(observed.robustness === null ? [] : aboutRobustness(observed.robustness)),
  ];
  const usual = usualIn[observed.session.looksLike];
  return found.map((departure) => ({
    ...departure,
    found: cut(departure.found, 300),
    ofDialect: usual.includes(departure.code),
  }));
}

function aboutOpening({ session }: Observed): Found {
  const { event, data } = session.openingEvent;
  const rule = `the first event is \`endpoint\`, with the URL to POST to (${transport})`;
  if (session.endpointGiven === null) return [must('no-endpoint', rule, `\`${event}\`, and no URL at all`)];
  if (data.trim().startsWith('{')) return [must('endpoint-json', rule, 'a JSON object with the URL in it')];
  return event === '' ? [must('endpoint-unnamed', rule, 'an event without a name')] : [];
}

function aboutInitialize({ session }: Observed): Found {
  const result = session.initialize?.response?.['result'] as Record<string, unknown> | undefined;
  if (result === undefined) return [];
  const missing = ['protocolVersion', 'capabilities', 'serverInfo'].filter(
    (key) => result[key] === undefined,
  );
  const rule = 'the result of initialize has protocolVersion, capabilities and serverInfo (lifecycle)';
  const found: Found =
    missing.length > 0 ? [must('initialize-result', rule, `no ${missing.join(', no ')}`)] : [];
  const version = result['protocolVersion'];
  const said = typeof version === 'string' ? version : `no text, but ${kindOf(version)}`;
  if (version !== undefined && !versions.includes(said))
    found.push(must('protocol-version', `the protocol version is one of MCP (${versions.join(', ')})`, said));
  const tools = (result['capabilities'] as { tools?: unknown } | undefined)?.tools;
  if (tools !== undefined && (typeof tools !== 'object' || tools === null || Array.isArray(tools)))
    found.push(must('capabilities', 'capabilities.tools is an object (lifecycle)', kindOf(tools)));
  return found;
}

function aboutTools({ tools, session }: Observed): Found {
  const found: Found = [];
  const result = session.initialize?.response?.['result'] as
    | { capabilities?: { tools?: unknown } }
    | undefined;
  const declared = result?.capabilities?.tools !== undefined;
  if (declared && tools.from !== 'tools/list')
    found.push(
      must(
        'no-tools-list',
        'a server that declares tools answers tools/list (tools)',
        tools.problem ?? 'no list',
      ),
    );
  if (!declared && tools.from === 'tools/list' && tools.tools.length > 0)
    found.push(
      must(
        'tools-undeclared',
        'a server with tools declares them in its capabilities (tools)',
        'it does not',
      ),
    );
  const names = tools.tools.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0)
    found.push(must('tool-twice', 'the name of a tool is unique (tools)', [...new Set(twice)].join(', ')));
  const shapeless =
    tools.from === 'tools/list'
      ? tools.tools.filter(({ inputSchema }) => inputSchema['type'] !== 'object')
      : [];
  if (shapeless.length > 0)
    found.push(
      must(
        'tool-schema',
        'inputSchema is a JSON Schema of type object (tools)',
        `not so: ${shapeless.map(({ name }) => name).join(', ')}`,
      ),
    );
  const odd = names.filter((name) => !/^[A-Za-z0-9_.\-/]{1,128}$/.test(name));
  if (odd.length > 0)
    found.push({
      code: 'tool-name',
      weight: 'should',
      rule: 'the name of a tool has 1 to 128 of the characters A–Z a–z 0–9 _ - . / (tools, 2025-11-25)',
      found: odd.join(', '),
    });
  return found;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
}
