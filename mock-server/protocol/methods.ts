import { missingField, wrongField } from './bad-params.js';
import { commonMethods } from '../offers/common-methods.js';
import type { Offers } from '../offers/offers.js';
import type { RpcError } from './json-rpc.js';
import type { Session } from '../sessions/session.js';
import { SessionState } from '../sessions/session.js';
import type { Site } from './site.js';
import type { ToolBox } from '../tools/tool-box.js';

/** What a method answers: its result as JSON, or an error. */
type MethodOutcome = string | RpcError;
type Params = Record<string, unknown>;
export type Methods = Map<string, Method>;
type Method = (params: Params, session: Session) => MethodOutcome;

const knownVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
/** What the revisions with sessions call a resource that is not there. */
export const resourceNotFound = -32002;

/** The requests that a site answers apart from tools/call, by method. */
export function methodsOf(site: Site, offers: Offers, serverVersion: string): Methods {
  const { tools } = offers;
  const methods = new Map<string, Method>([['initialize', initializer(site, tools, serverVersion)]]);
  if (site.wire.describeToolsMethod) methods.set('describe_tools', () => tools.describe());
  if (site.dialect.methods === 'tools-only') return methods;
  for (const [name, method] of commonMethods(offers, resourceNotFound)) methods.set(name, method);
  if (site.dialect.methods === 'mcp+legacy') {
    methods.set('listTools', methods.get('tools/list')!);
    methods.set('listResources', methods.get('resources/list')!);
  }
  return methods;
}

function initializer(site: Site, tools: ToolBox, version: string): Method {
  const { dialect, wire } = site;
  const serverInfo = { name: 'mcp-bench mock', version };
  const capabilities =
    dialect.protocolVersion === 'negotiated'
      ? { tools: {}, resources: {}, prompts: {}, logging: {} }
      : { tools: tools.names };
  return (params, session) => {
    if (session.initialized && wire.secondInitialize === 'error') return dialect.alreadyInitialized;
    const asked = params['protocolVersion'];
    if (asked === undefined && dialect.protocolVersionRequired) return missingField('protocolVersion');
    if (asked !== undefined && typeof asked !== 'string') return wrongField('protocolVersion', 'a string');
    session.initialized = true;
    if (session.state === SessionState.fresh)
      session.state =
        wire.initialized === 'required' || wire.initialized === 'gate'
          ? SessionState.initializeAnswered
          : SessionState.ready;
    const protocolVersion =
      dialect.protocolVersion !== 'negotiated'
        ? dialect.protocolVersion
        : asked !== undefined && knownVersions.includes(asked)
          ? asked
          : knownVersions.at(-1)!;
    return JSON.stringify({ protocolVersion, capabilities, serverInfo });
  };
}
