import type { MessagePort } from 'node:worker_threads';
import type { ThreadMessage } from './thread-messages.js';

/** The way to another thread: what is sent in one turn of the event loop goes over in one piece. */
export class ThreadLink {
  private outbox: ThreadMessage[] = [];

  constructor(
    private readonly port: MessagePort,
    receive: (message: ThreadMessage, from: ThreadLink) => void,
  ) {
    port.on('message', (messages: ThreadMessage[]) => {
      for (const message of messages) receive(message, this);
    });
  }

  send(message: ThreadMessage): void {
    if (this.outbox.push(message) > 1) return;
    setImmediate(() => {
      const messages = this.outbox;
      this.outbox = [];
      this.port.postMessage(messages);
    });
  }

  close(): void {
    this.port.close();
  }
}
