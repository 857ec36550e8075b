import { randomUUID } from 'node:crypto';
import { packageVersion } from './package-version.js';
import { CallLog } from './calls/call-log.js';
import type { MockConfig } from './config/config.js';
import { realLoop } from './time/loop.js';
import { MockApp } from './mock-app.js';
import { ownedHex } from './threads/owner.js';
import type { Usage } from './threads/usage.js';

/** What differs from one running mock to another besides its configuration. */
export interface MakeAppOptions {
  readonly baseUrl: () => string;
  readonly log: string | undefined;
  /** Which of how many threads it runs on. */
  readonly thread: { readonly index: number; readonly count: number };
  readonly usage: Usage;
}

/** A mock on this thread's event loop, with random session ids. */
export function makeApp(config: MockConfig, { baseUrl, log, thread, usage }: MakeAppOptions): MockApp {
  const loop = realLoop();
  return new MockApp(config, {
    loop,
    thread,
    usage,
    newSessionHex: () => {
      const hex = randomUUID().replaceAll('-', '');
      return thread.count === 1 ? hex : ownedHex(hex, thread.index);
    },
    version: packageVersion(),
    baseUrl,
    log: log === undefined ? null : new CallLog(log, loop),
  });
}
