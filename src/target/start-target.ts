import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TargetPlan } from '../scenario/plan.js';
import { detectTarget } from '../detect/detect-target.js';
import { accessTarget } from '../detect/target-access.js';
import { Failure } from '../failure.js';
import type { Spoken } from '../detect/spoken.js';
import { awaitReady } from './await-ready.js';
import { freePort } from '../machine/free-port.js';
import type { TreeUsage } from '../machine/process-tree.js';
import { ServerProcess } from '../machine/server-process.js';
import { isLoopback } from '../text/is-loopback.js';

/** What is measured, and how it is started: by a command, as the built-in mock, or not at all. */
export type Launch =
  | { readonly kind: 'url' }
  /** A command that each session starts for itself. */
  | { readonly kind: 'sessions' }
  | {
      readonly kind: 'command';
      readonly command: string | readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly inheritEnv: boolean;
    }
  /** The arguments are those of `serve-mock`. */
  | { readonly kind: 'mock'; readonly args: readonly string[] };

/** A target that answers. */
export interface RunningTarget {
  /** What it speaks, and where, with its port filled in. */
  readonly spoken: Spoken;
  /** Leader of its processes; null where we did not start it. */
  readonly pid: number | null;
  /** What its processes use, with memory counted exactly where asked; null where we did not start it, or this system does not tell. */
  usage(exact?: boolean): TreeUsage | null;
  /** How it ended by itself, and its last words; null while it runs. */
  crashed(): string | null;
  /** Resolves to the same as soon as it ends by itself; never for what we did not start. */
  readonly whenCrashed: Promise<string>;
  stop(): Promise<void>;
}

/** A target that did not become ready, and why. */
export interface NotReady {
  readonly reason: string;
}

const leaveMs = 2000;
const pauseMs = 50;

/** Starts a target and waits until it answers. `{port}` in its URL and command is a free port, which it also finds in PORT. */
export async function startTarget(
  launch: Launch,
  target: TargetPlan,
  options: { readyMs: number; givenUp: () => string | null },
): Promise<RunningTarget | NotReady> {
  if (launch.kind === 'sessions') return asked(target, options.readyMs);
  if (launch.kind === 'url') {
    const ready = await awaitReady(target, options.readyMs, options.givenUp);
    return typeof ready === 'string' ? { reason: ready } : notOurs(ready);
  }
  // What is there already would be measured in its place; elsewhere a command may say to start anew what always listens.
  const isHere = target.unixSocket !== null || isLoopback(target.url);
  if (isHere && !target.url.includes('{port}') && !(await isLeft(target, options.givenUp)))
    return {
      reason:
        options.givenUp() ??
        'somebody listens at its URL before it is started: end that server, leave the command out, or put {port} into URL and command',
    };
  const port = await freePort();
  const server = new ServerProcess(commandOf(launch, port));
  const ended = (): string | null => (server.outcome === null ? null : endText(server));
  const url = withPort(target.url, port);
  const ready = await awaitReady({ ...target, url }, options.readyMs, () => options.givenUp() ?? ended());
  if (typeof ready === 'string') {
    await server.stop();
    const words = server.outcome === null || ended() === ready ? '' : saying(server);
    return { reason: ready + words };
  }
  let stopping = false;
  return {
    spoken: ready,
    pid: server.pid,
    usage: (exact) => server.tree?.read(exact) ?? null,
    crashed: () => (stopping ? null : ended()),
    whenCrashed: server.ended.then(() => endText(server)),
    stop: async () => {
      stopping = true;
      await server.stop();
    },
  };
}

/** Whether nobody listens at the URL, or not any more when a moment has passed: the one before it may take its time to end. */
async function isLeft(target: TargetPlan, givenUp: () => string | null): Promise<boolean> {
  for (const end = performance.now() + leaveMs; ; await delay(pauseMs)) {
    try {
      await accessTarget(target, leaveMs);
    } catch (error) {
      if (error instanceof Failure) return true;
      throw error;
    }
    if (performance.now() > end || givenUp() !== null) return false;
  }
}

async function asked(target: TargetPlan, limitMs: number): Promise<RunningTarget | NotReady> {
  try {
    return notOurs(await detectTarget(target, { connectMs: limitMs, answersMs: limitMs }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { reason: error.message };
  }
}

function commandOf(
  launch: Exclude<Launch, { kind: 'url' | 'sessions' }>,
  port: number,
): ConstructorParameters<typeof ServerProcess>[0] {
  if (launch.kind === 'mock') {
    const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
    const fixed = [process.execPath, main, 'serve-mock', '--port', String(port), '--json'];
    return { command: [...fixed, ...launch.args], cwd: process.cwd(), env: process.env };
  }
  const { command, cwd, inheritEnv } = launch;
  const env = Object.entries(launch.env).map(([name, value]) => [name, withPort(value, port)]);
  return {
    command:
      typeof command === 'string' ? withPort(command, port) : command.map((word) => withPort(word, port)),
    cwd,
    env: { ...(inheritEnv ? process.env : {}), PORT: String(port), ...Object.fromEntries(env) },
  };
}

/** Fills the port in. */
export function withPort(text: string, port: number): string {
  return text.replaceAll('{port}', String(port));
}

function endText(server: ServerProcess): string {
  return `it ended by itself: ${server.outcome}${saying(server)}`;
}

function saying(server: ServerProcess): string {
  const words = server.lastWords();
  return words === '' ? '' : ` (it said: ${words})`;
}

function notOurs(spoken: Spoken): RunningTarget {
  return {
    spoken,
    pid: null,
    usage: () => null,
    crashed: () => null,
    whenCrashed: new Promise(() => {}),
    stop: async () => {},
  };
}
