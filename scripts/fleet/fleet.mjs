// The fleet: real MCP servers, one folder each beside this file, on the real libraries from their registries.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeServer, modesOf, serverNames } from './describe-server.mjs';
import { installServer, isInstalled, whyMissing as whyServerMissing } from './install-server.mjs';
import { runningOf, stopRunning } from './running-servers.mjs';
import { clientOf as clientOfServer, commandOf as commandOfServer, startServer } from './start-server.mjs';
import { pinnedVersion } from './toolchain.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** A fleet whose servers are described in the folders of `folder` and installed under `home`. */
export function createFleet(fleet) {
  return {
    listServers: () => serverNames(fleet).map((name) => summaryOf(fleet, name)),
    install: (name, options) => installServer(fleet, name, options),
    whyMissing: (name, options) => whyServerMissing(fleet, name, options),
    commandOf: (name, port, mode) => commandOfServer(fleet, name, port, mode),
    clientOf: (name) => clientOfServer(fleet, name),
    start: (name, options) => startServer(fleet, name, options),
    stopAll: (name) => stopRunning(fleet, describeServer(fleet, name).name),
  };
}

function summaryOf(fleet, name) {
  const server = describeServer(fleet, name);
  const { library, language, kind, seed, dialect, calls } = server.manifest;
  const version = pinnedVersion(server.manifest, server.source);
  const modes = modesOf(server.manifest).map(({ name, transport, eras, primes }) => ({
    name,
    transport,
    eras,
    primes,
  }));
  const clientTransports = server.manifest.client?.transports ?? [];
  const installed = isInstalled(server);
  return {
    name,
    library,
    version,
    language,
    kind,
    seed,
    dialect,
    calls,
    modes,
    clientTransports,
    installed,
    running: runningOf(fleet, name),
  };
}

/** The folder that installed servers live in: `.fleet` in the checkout, or the one MCP_BENCH_FLEET_DIR names. */
export const fleetHome = resolve(process.env.MCP_BENCH_FLEET_DIR ?? join(here, '..', '..', '.fleet'));

export const { listServers, install, whyMissing, commandOf, clientOf, start, stopAll } = createFleet({
  folder: here,
  home: fleetHome,
});
