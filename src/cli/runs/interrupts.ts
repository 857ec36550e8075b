import { tell } from '../tell.js';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** What can be ended early: so that what was measured is kept, or at once. */
export interface Stoppable {
  stop(): void;
  abort(): void;
}

/** How often the user has asked for the end, and what is ended by it. */
export interface Interrupts {
  readonly count: number;
  /** Hands over what the next interrupt ends; it is stopped at once where one has come already. null: nothing, until there is something again. */
  control(running: Stoppable | null): void;
}

/** The process, or what stands for it in a test. */
type SignalSource = Pick<NodeJS.EventEmitter, 'on' | 'off' | 'once'>;

/** Does something that the user may interrupt: the first SIGINT or SIGTERM stops what runs, any further one breaks it off. */
export async function interruptible<Value>(
  work: (interrupts: Interrupts) => Promise<Value>,
  source: SignalSource = process,
  say: (line: string) => void = tell,
): Promise<Value> {
  let running: Stoppable | null = null;
  let count = 0;
  const onSignal = (): void => {
    count++;
    if (count === 1) {
      say('stopping: calls in flight are still waited for; interrupt again to end at once');
      running?.stop();
    } else running?.abort();
  };
  for (const signal of signals) source.on(signal, onSignal);
  try {
    return await work({
      get count() {
        return count;
      },
      control: (next) => {
        running = next;
        if (count > 0) next?.stop();
      },
    });
  } finally {
    for (const signal of signals) source.off(signal, onSignal);
  }
}

/** Resolves when the process is told to stop, or when the one that started it over IPC is gone; a second signal ends it as if it were not handled. */
export function untilStopped(source: SignalSource = process): Promise<void> {
  return new Promise((resolve) => {
    for (const event of [...signals, 'disconnect']) source.once(event, () => resolve());
  });
}
