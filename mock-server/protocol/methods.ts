import { wrongField, missingField } from '../tools/built-in-tools.js';
import { RpcCode, RpcError } from './json-rpc.js';
import type { Session } from '../sessions/session.js';
import { SessionState } from '../sessions/session.js';
import type { Site } from './site.js';
import type { ToolBox } from '../tools/tool-box.js';

const longestQuote = 200;

/** What a method answers: its result as JSON, or an error. */
type MethodOutcome = string | RpcError;
type Params = Record<string, unknown>;
export type Methods = Map<string, Method>;
type Method = (params: Params, session: Session) => MethodOutcome;

const knownVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const resourceUri = 'mock://config.json';
const resourceText = '{"mock":true}';
const resource = {
  uri: resourceUri,
  name: 'config.json',
  mimeType: 'application/json',
  description: 'Configuration file',
};
const prompt = {
  name: 'greet',
  description: 'Greets someone.',
  arguments: [{ name: 'name', description: 'who to greet', required: true }],
};

/** The requests that a site answers apart from tools/call, by method. */
export function methodsOf(site: Site, tools: ToolBox, serverVersion: string): Methods {
  const methods = new Map<string, Method>([['initialize', initializer(site, tools, serverVersion)]]);
  if (site.wire.describeToolsMethod) methods.set('describe_tools', () => tools.describe());
  if (site.dialect.methods === 'tools-only') return methods;
  const listTools: Method = ({ cursor }) =>
    tools.page(cursor) ?? wrongField('cursor', 'one that tools/list gave out');
  const listResources: Method = () => JSON.stringify({ resources: [resource] });
  const common: [string, Method][] = [
    ['ping', () => '{}'],
    ['tools/list', listTools],
    ['resources/list', listResources],
    ['resources/templates/list', () => '{"resourceTemplates":[]}'],
    ['resources/read', readResource],
    ['prompts/list', () => JSON.stringify({ prompts: [prompt] })],
    ['prompts/get', getPrompt],
    ['logging/setLevel', setLevel],
  ];
  for (const [name, method] of common) methods.set(name, method);
  if (site.dialect.methods === 'mcp+legacy') {
    methods.set('listTools', listTools);
    methods.set('listResources', listResources);
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

function readResource({ uri }: Params): MethodOutcome {
  if (uri === undefined) return missingField('uri');
  if (typeof uri !== 'string') return wrongField('uri', 'a string');
  if (uri !== resourceUri)
    return new RpcError(-32002, `Resource not found: ${uri.slice(0, longestQuote)}`, { uri });
  return JSON.stringify({ contents: [{ uri, mimeType: resource.mimeType, text: resourceText }] });
}

function getPrompt({ name, arguments: args }: Params): MethodOutcome {
  if (name === undefined) return missingField('name');
  if (typeof name !== 'string') return wrongField('name', 'a string');
  if (name !== prompt.name)
    return new RpcError(RpcCode.invalidParams, `Unknown prompt: ${name.slice(0, longestQuote)}`);
  const who = (args as Params | undefined)?.['name'];
  if (typeof who !== 'string') return missingField('name');
  const messages = [{ role: 'user', content: { type: 'text', text: `Please greet ${who}.` } }];
  return JSON.stringify({ description: prompt.description, messages });
}

function setLevel({ level }: Params): MethodOutcome {
  if (level === undefined) return missingField('level');
  return typeof level === 'string' && logLevels.includes(level)
    ? '{}'
    : wrongField('level', logLevels.join(', '));
}
