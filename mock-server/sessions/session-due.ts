import type { Due, DueQueue } from '../time/due-queue.js';
import type { Session } from './session.js';

/** Something that is due for one session. */
export interface SessionTask {
  /** The JSON text of the id of the call that it is; '' for what cannot be cancelled. */
  readonly idJson: string;
  readonly due: Due;
  /** What to do instead when the client takes its call back. */
  readonly cancelled: () => void;
  /** What to do instead when the session dies first. */
  readonly abandoned: () => void;
}

/** What a task does in each of the three ways that it can end. */
export type SessionTaskEnds = Pick<SessionTask, 'cancelled' | 'abandoned'> & { readonly run: () => void };

/** What is due for sessions, and is let go when they die: a heap that only time empties would keep all their calls. */
export class SessionDue {
  constructor(private readonly due: DueQueue) {}

  add(session: Session, dueNs: number, { run, cancelled, abandoned }: SessionTaskEnds, idJson = ''): void {
    if (session.streams.length === 0) return abandoned();
    const task: SessionTask = {
      idJson,
      due: this.due.add(dueNs, () => {
        session.tasks!.delete(task);
        run();
      }),
      cancelled,
      abandoned,
    };
    session.tasks ??= new Set();
    session.tasks.add(task);
  }

  /** Accepts that a call shall not be answered; nothing happens where none of that id is waiting. */
  cancel(session: Session, idJson: string): void {
    for (const task of session.tasks ?? []) {
      if (task.idJson !== idJson) continue;
      session.tasks!.delete(task);
      this.due.remove(task.due);
      return task.cancelled();
    }
  }

  /** Ends all that waits for a session that has died. */
  abandon(session: Session): void {
    const tasks = session.tasks;
    session.tasks = null;
    for (const task of tasks ?? []) {
      this.due.remove(task.due);
      task.abandoned();
    }
  }
}
