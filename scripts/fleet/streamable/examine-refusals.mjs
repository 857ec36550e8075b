// What a server of Streamable HTTP answers to what it should not have been sent.
import { callOf, initializeOf, openSession, postAlone, statelessVersion, textOf } from './raw-session.mjs';
import { brief } from './words.mjs';

const prefix = 'io.modelcontextprotocol/';

/** One fact for each kind of mistake, those of both eras and those of this one. */
export async function mistakes(url, era, calls) {
  const session = await openSession(url, era);
  const good = { id: 'good', ...callOf(calls.echo) };
  const send = async (message, options) => brief(await postAlone(session, message, options));
  const facts = {
    unknownMethod: await send({ id: 'm', method: 'no/such' }),
    unknownTool: await send({ id: 't', ...callOf({ tool: 'nope', arguments: {} }) }),
    missingArgument: await send({ id: 'a', ...callOf({ ...calls.echo, arguments: {} }) }),
    malformed: await send(good, { body: '{"jsonrpc":' }),
    notJsonRpc: await send(good, { body: '{"a":1}' }),
    batch: await send(good, { body: `[${textOf(session, good)}]` }),
    idNull: await send({ ...good, id: null }),
    idFraction: await send({ ...good, id: 1.5 }),
    wrongType: await send(good, { headers: { 'Content-Type': 'text/plain' } }),
    acceptJsonOnly: await send(good, { headers: { Accept: 'application/json' } }),
    acceptSseOnly: await send(good, { headers: { Accept: 'text/event-stream' } }),
    acceptAny: await send(good, { headers: { Accept: '*/*' } }),
    foreignHost: await send(good, { headers: { Host: 'example.com' } }),
    foreignOrigin: await send(good, { headers: { Origin: 'http://example.com' } }),
    over4MiB: await send({
      id: 'large',
      ...callOf({ ...calls.echo, arguments: { message: 'x'.repeat(4_300_000) } }),
    }),
    unknownNotification: await send({ method: 'notifications/nope' }),
    responseNobodyAskedFor: await send(good, { body: '{"jsonrpc":"2.0","id":99,"result":{}}' }),
    ping: await send({ id: 'p', method: 'ping' }),
    initializeAgain: await send({ id: 'i', ...initializeOf('2025-11-25') }),
    ...(era === 'stateless' ? await statelessMistakes(session, good) : {}),
  };
  session.connection.close();
  return facts;
}

async function statelessMistakes(session, good) {
  const send = async (message, options) => brief(await postAlone(session, message, options));
  const metaWithout = (key, value) => {
    const whole = JSON.parse(textOf(session, good));
    if (value === undefined) delete whole.params._meta[`${prefix}${key}`];
    else whole.params._meta[`${prefix}${key}`] = value;
    return JSON.stringify(whole);
  };
  const header = (fields) => send(good, { headers: fields });
  return {
    noVersionHeader: await header({ 'MCP-Protocol-Version': undefined }),
    unknownVersion: await send(good, {
      headers: { 'MCP-Protocol-Version': '2099-01-01' },
      body: metaWithout('protocolVersion', '2099-01-01'),
    }),
    otherVersionHeader: await header({ 'MCP-Protocol-Version': '2025-11-25' }),
    noMethodHeader: await header({ 'Mcp-Method': undefined }),
    otherMethodHeader: await header({ 'Mcp-Method': 'tools/list' }),
    noNameHeader: await header({ 'Mcp-Name': undefined }),
    otherNameHeader: await header({ 'Mcp-Name': 'other' }),
    noClientCapabilities: await send(good, { body: metaWithout('clientCapabilities') }),
    noMetaVersion: await send(good, { body: metaWithout('protocolVersion') }),
    noClientInfo: await send(good, { body: metaWithout('clientInfo') }),
    sessionIdSent: await header({ 'Mcp-Session-Id': 'abc', 'MCP-Protocol-Version': statelessVersion }),
  };
}
