import { type ChildProcess, spawn } from 'node:child_process';

// Learns of process groups line by line, `+7` and `-7`, and kills those it knows, with all that came from them, once its input ends.
// A shell, since it takes a megabyte and is there at once.
const script = `
trap '' INT TERM HUP QUIT
groups=' '
while read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*) group=\${line#-}; groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
below() { for child in $(cat /proc/$1/task/*/children); do echo $child; below $child; done; }
for group in $groups; do strayed=$(below $group); kill -9 -$group $strayed; done
`;

/**
 * Kills the process groups of this program when it is gone, however it went: a process of its own waits for the end of a pipe, which not even
 * SIGKILL keeps from ending. Without a shell on this system, or a descriptor for
 * its pipe, it does nothing.
 */
export class Watchdog {
  private readonly child: ChildProcess;

  constructor() {
    this.child = spawn('/bin/sh', ['-c', script], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Whoever ends our own group does not mean this one.
      detached: true,
      cwd: '/',
    });
    this.child.on('error', () => {});
    this.child.stdin?.on('error', () => {});
    // It has its use in outliving us, not in keeping us.
    this.child.unref();
  }

  /** A process that leads a group has been started. */
  watch(pid: number): void {
    this.child.stdin?.write(`+${pid}\n`);
  }

  /** All of its group have ended, and its number may become another's. */
  forget(pid: number): void {
    this.child.stdin?.write(`-${pid}\n`);
  }

  /** Lets it go: it kills whom it still watches. */
  close(): void {
    this.child.stdin?.end();
  }
}
