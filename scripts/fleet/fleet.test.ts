import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fleet, FleetServer } from './fleet.mjs';
import { createFleet, listServers } from './fleet.mjs';

const here = dirname(fileURLToPath(import.meta.url));

describe('the servers of the fleet', () => {
  const servers = listServers();

  test('are these', () => {
    expect(servers.map(({ name }) => name)).toEqual([
      'fastmcp-py',
      'fastmcp-ts',
      'go-sdk',
      'mcp-go',
      'mcp-go-latest',
      'mcp-proxy',
      'pymcp-sse',
      'python-sdk',
      'rmcp',
      'rmcp-3',
      'serena',
      'server-everything',
      'server-filesystem',
      'server-memory',
      'server-time',
      'ts-sdk',
      'ts-sdk-2',
    ]);
  });

  test.each(servers)('$name pins its library and names a call', (server: FleetServer) => {
    expect(server.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(server.calls.echo ?? server.calls.cheap).toBeDefined();
  });

  test.each(servers)('$name says of each mode what it speaks', ({ modes, dialect }: FleetServer) => {
    for (const { transport, eras } of modes) {
      expect(Object.keys(eras ?? {}).length > 0).toBe(transport === 'streamable');
      if (transport === 'sse') expect(dialect).toBeDefined();
    }
    // The others are found by name; who asks for none gets one that has a URL, where there is one.
    if (modes.some(({ transport }) => transport !== 'stdio')) expect(modes[0]!.transport).not.toBe('stdio');
  });

  test('speak every transport in several languages, and the same server in each for comparing them', () => {
    const named = (wanted: string): string[] =>
      servers.flatMap(({ name, modes }) => (modes.some((mode) => mode.name === wanted) ? [name] : []));
    expect(named('sessions')).toEqual([
      'go-sdk',
      'mcp-go-latest',
      'python-sdk',
      'rmcp-3',
      'server-everything',
      'ts-sdk',
      'ts-sdk-2',
    ]);
    expect(named('stdio')).toEqual(
      [...named('sessions'), 'server-filesystem', 'server-memory', 'server-time'].sort(),
    );
    expect(named('sessionless-json')).toEqual(['go-sdk', 'python-sdk', 'rmcp-3', 'ts-sdk']);
  });

  test.each(servers)('$name has no download address in its pins', ({ name }: FleetServer) => {
    const pins = readdirSync(join(here, name)).filter((file) => /lock|requirements|go\.sum|Cargo/.test(file));
    expect(pins.length).toBeGreaterThan(0);
    for (const file of pins) {
      const text = readFileSync(join(here, name, file), 'utf8');
      expect(text).not.toMatch(/"resolved"|registry\+|index-url|\.tgz|\.whl|^source = "(?!registry")/m);
    }
  });
});

describe('a fleet of stand-ins', () => {
  let folder: string;
  let fleet: Fleet;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-bench-fleet-'));
    fleet = createFleet({ folder: join(folder, 'servers'), home: join(folder, 'home') });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function add(name: string, script: string, manifest: object = {}): void {
    const own = join(folder, 'servers', name);
    mkdirSync(own, { recursive: true });
    const command = ['{node}', 'server.mjs', '{port}'];
    const calls = { echo: { tool: 'echo', arguments: {} } };
    const basics = { library: name, kind: 'none', language: 'JavaScript', dialect: 'classic', path: '/sse' };
    writeFileSync(join(own, 'fleet.json'), JSON.stringify({ ...basics, command, calls, ...manifest }));
    writeFileSync(join(own, 'server.mjs'), script);
  }

  const streams = `
    import { spawn } from 'node:child_process';
    import { createServer } from 'node:http';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    const head = { 'content-type': 'text/event-stream', 'x-child': child.pid, 'x-secret': process.env.SECRET ?? 'none' };
    createServer((_, response) => response.writeHead(200, head).write(':\\n\\n')).listen(Number(process.argv[2]), '127.0.0.1');
  `;

  function isAlive(pid: number): boolean {
    try {
      return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  }

  test('installs once, then says that it is there', async () => {
    add('steady', streams);
    expect(fleet.listServers()[0]?.installed).toBe(false);
    expect(await fleet.install('steady')).toMatchObject({ name: 'steady', state: 'installed' });
    expect(await fleet.install('steady')).toMatchObject({ name: 'steady', state: 'present' });
    expect(fleet.listServers()[0]?.installed).toBe(true);
  });

  test.each([
    ['npm', 'npm is not on the PATH'],
    ['rust', 'cargo is not on the PATH'],
    ['go', 'go is not on the PATH'],
    ['python', 'no Python 3.10 or newer with venv and ensurepip is on the PATH'],
  ])('skips a %s server by reason where its tools are missing', async (kind, reason) => {
    add('lonely', '', { kind });
    const env = { PATH: join(folder, 'nowhere') };
    expect(await fleet.install('lonely', { env })).toMatchObject({
      name: 'lonely',
      state: 'skipped',
      reason,
    });
  });

  test('skips a server whose build fails, with the last words of the build', async () => {
    add('broken', '', { kind: 'npm' });
    writeFileSync(join(folder, 'servers', 'broken', 'package.json'), '{"name": "broken"}');
    const result = await fleet.install('broken');
    expect(result.state).toBe('skipped');
    expect(result.reason).toMatch(/^npm ci .*failed \(1\): .*package-lock/);
  });

  test('says why a server is not there', async () => {
    add('broken', '', { kind: 'npm' });
    expect(fleet.whyMissing('broken')).toBe('not installed; npm run fleet -- install broken');
    expect(fleet.whyMissing('broken', { env: { PATH: '/nowhere' } })).toBe('npm is not on the PATH');
    const { reason } = await fleet.install('broken');
    expect(fleet.whyMissing('broken')).toBe(reason);
    add('steady', streams);
    await fleet.install('steady');
    expect(fleet.whyMissing('steady')).toBeUndefined();
  });

  test.skipIf(process.platform !== 'linux')(
    'ends an installation that takes too long, with all its children, and says so',
    async () => {
      add('endless', '', { kind: 'npm' });
      const bin = join(folder, 'bin');
      const note = join(folder, 'child');
      mkdirSync(bin);
      const script = `#!/bin/sh\n[ "$1" = --version ] && exit 0\nsleep 1000 &\necho $! > ${note}\nwait\n`;
      writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
      const env = { PATH: `${bin}:${process.env['PATH']}` };
      const result = await fleet.install('endless', { env, limitMs: 1000 });
      expect(result).toMatchObject({ state: 'skipped' });
      expect(result.reason).toBe('npm ci --no-audit --no-fund was not done within the 1 s given to it');
      expect(isAlive(Number(readFileSync(note, 'utf8')))).toBe(false);
      expect(await fleet.install('endless', { env, limitMs: 0 })).toMatchObject({
        state: 'skipped',
        reason: 'no time was left to install it',
      });
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'starts a server, and ends it with all its children',
    async () => {
      add('parent', streams);
      await fleet.install('parent');
      vi.stubEnv('SECRET', 'kept');
      const server = await fleet.start('parent');
      vi.unstubAllEnvs();
      const response = await fetch(server.url);
      const childPid = Number(response.headers.get('x-child'));
      expect(response.headers.get('x-secret')).toBe('none');
      expect(fleet.listServers()[0]?.running).toEqual([{ mode: 'sse', pid: server.pid, url: server.url }]);
      expect([isAlive(server.pid), isAlive(childPid)]).toEqual([true, true]);
      await server.stop();
      expect([isAlive(server.pid), isAlive(childPid)]).toEqual([false, false]);
      expect(fleet.listServers()[0]?.running).toEqual([]);
    },
  );

  const modes = {
    sse: { transport: 'sse', path: '/sse' },
    json: { transport: 'streamable', path: '/mcp', eras: { sessions: 'json' } },
    stdio: { transport: 'stdio' },
  };
  const refuses = `
    import { createServer } from 'node:http';
    const answer = JSON.stringify(process.argv.slice(2));
    createServer((_, response) => response.writeHead(405).end(answer)).listen(Number(process.argv[3]), '127.0.0.1');
  `;

  test('starts a server of Streamable HTTP in the mode that is asked for, ready though it refuses a GET', async () => {
    add('several', refuses, { command: ['{node}', 'server.mjs', '{mode}', '{port}'], modes });
    await fleet.install('several');
    const server = await fleet.start('several', { mode: 'json' });
    const { port, pathname } = new URL(server.url);
    expect({ mode: server.mode, pathname }).toEqual({ mode: 'json', pathname: '/mcp' });
    expect(await (await fetch(server.url)).json()).toEqual(['json', port]);
    expect(fleet.listServers()[0]?.running).toMatchObject([{ mode: 'json', url: server.url }]);
    await server.stop();
  });

  test('gives the command of a server over stdio, which has no port, and leaves its start to others', async () => {
    add('piped', refuses, { command: ['{node}', 'server.mjs', '{mode}', '{port}'], modes });
    await fleet.install('piped');
    const { command, url } = fleet.commandOf('piped', undefined, 'stdio');
    expect({ words: command.slice(1), url }).toEqual({ words: ['server.mjs', 'stdio'], url: undefined });
    await expect(fleet.start('piped', { mode: 'stdio' })).rejects.toThrow(
      'piped over stdio is started by whoever speaks with it',
    );
    await expect(fleet.start('piped', { mode: 'other' })).rejects.toThrow(
      'piped has no mode "other"; it has sse, json, stdio',
    );
  });

  test('ends a server that does not mind SIGTERM', async () => {
    add('stubborn', `process.on('SIGTERM', () => {}); ${streams}`);
    await fleet.install('stubborn');
    await fleet.start('stubborn', { keep: true });
    expect(await fleet.stopAll('stubborn')).toBe(1);
    expect(await fleet.stopAll('stubborn')).toBe(0);
  });

  test('says why a server did not come up', async () => {
    add('crash', `console.error('no such luck'); process.exit(3);`);
    await fleet.install('crash');
    await expect(fleet.start('crash')).rejects.toThrow('crash ended before it answered: no such luck');
  });

  test('refuses names that it does not know, and servers that are not installed', async () => {
    add('known', streams);
    await expect(fleet.install('unknown')).rejects.toThrow(
      'no server "unknown" in the fleet; there are known',
    );
    await expect(fleet.start('known')).rejects.toThrow(
      'known is not installed; npm run fleet -- install known',
    );
  });
});
