// One server over stdio, bare and behind a gateway that speaks HTTP, as a file of targets for `mcp-bench versus`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { commandOf, fleetHome, listServers } from '../fleet/fleet.mjs';
import { commandWords } from './fleet-targets.mjs';

const gateway = 'mcp-proxy';
const lines = [
  { name: 'bare', mode: 'bare', spoken: { transport: 'stdio' } },
  { name: 'behind it, HTTP+SSE', mode: 'sse', spoken: { transport: 'sse' } },
  {
    name: 'behind it, sessions',
    mode: 'stream',
    spoken: { transport: 'streamable', protocol: '2025-11-25' },
  },
  {
    name: 'behind it, stateless',
    mode: 'stream',
    spoken: { transport: 'streamable', protocol: '2026-07-28' },
  },
];

/** The gateway of the fleet, `{ name, about, file }`; or `{ name, reason }` where it is not there. */
export function writeGatewayTargets() {
  const server = listServers().find(({ name }) => name === gateway);
  if (!server.installed)
    return { name: gateway, reason: `not installed: npm run fleet -- install ${gateway}` };
  const targets = lines.map(({ name, mode, spoken }) => {
    const { command, cwd, env, url } = commandOf(gateway, '{port}', mode);
    const started = { command: commandWords(command, cwd), cwd, env };
    return {
      name,
      ...started,
      ...(url === undefined ? {} : { url, inheritEnv: false }),
      ready: '60s',
      ...spoken,
    };
  });
  const file = join(fleetHome, 'versus-gateway.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stringify({ targets }, { lineWidth: 0 }));
  return { name: gateway, about: `${server.library} ${server.version}`, file };
}
