import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = (name: string): string =>
  fileURLToPath(new URL(`../../../dist/src/${name}.js`, import.meta.url));

// Takes all descriptors that there are, and only then starts a server.
const program = `
import { openSync } from 'node:fs';
import { ServerPipes } from ${JSON.stringify(dist('transport/stdio/server-pipes'))};
import { Watchdog } from ${JSON.stringify(dist('machine/watchdog'))};
import { ServerProcess } from ${JSON.stringify(dist('machine/server-process'))};
import { Turn } from ${JSON.stringify(dist('transport/turn'))};
console.log('begun');
try { for (;;) openSync('/dev/null'); } catch {}
const command = { command: ['true'], env: {}, cwd: '/' };
const watchdog = new Watchdog();
watchdog.watch(1e9);
const pipes = new ServerPipes(command, new Turn(), { stderrBytes: 0 }, {
  onRead() {}, onWritten() {},
  onPipesOver({ kind, code }) {
    pipes.write('nobody reads it', 'utf8');
    pipes.leave(true);
    console.log(kind, code, pipes.pid, pipes.isBlocked);
  },
});
await pipes.exited;
watchdog.close();
const server = new ServerProcess({ command: ['true'], env: {}, cwd: '/' });
console.log(await server.ended);
await server.stop();
`;

test.runIf(process.platform === 'linux')(
  'where no descriptor is left, a server cannot be started, and nothing is thrown',
  () => {
    const node = [process.execPath, '--input-type=module', '-e', program];
    const said = execFileSync('bash', ['-c', 'ulimit -n 60 && exec "$@"', 'bash', ...node], {
      encoding: 'utf8',
    });
    expect(said.trim().split('\n')).toEqual([
      'begun',
      'limit EMFILE null false',
      expect.stringMatching(/^cannot be started: .*EMFILE/),
    ]);
  },
);
