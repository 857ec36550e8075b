// The loop around an SDK's client that every program `client.mjs` of the fleet runs: README.md, Clients.
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Opens the sessions that the first argument tells of, makes its calls and says what came of them; `open(told)` resolves with
 * `{ call(tool, arguments), close() }`, where `call` resolves with the tool's result.
 */
export async function runClient(open) {
  const told = JSON.parse(process.argv[2]);
  const books = { left: told.calls, running: true, measuring: told.calls !== undefined, ms: [], errors: 0 };
  const note = (error) => (books.firstError ??= String(error?.message ?? error));
  const opened = await Promise.allSettled(Array.from({ length: told.sessions }, () => open(told)));
  const sessions = opened.flatMap(({ value }) => (value === undefined ? [] : [value]));
  for (const { reason } of opened) if (reason !== undefined) note(reason);
  say({ at: 'ready', sessions: sessions.length, failed: told.sessions - sessions.length });

  const loops = sessions.flatMap((session) =>
    Array.from({ length: told.inFlight }, () => keepCalling(session, told, books, note)),
  );
  let startMs = performance.now();
  if (told.calls === undefined) {
    await delay(told.warmupSeconds * 1000);
    books.measuring = true;
    startMs = performance.now();
    say({ at: 'measuring' });
    await delay(told.seconds * 1000);
    books.measuring = books.running = false;
  } else await Promise.all(loops);
  const seconds = (performance.now() - startMs) / 1000;
  await Promise.all(loops);

  const sorted = books.ms.sort((a, b) => a - b);
  const percentile = (share) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  say({
    at: 'done',
    sessions: sessions.length,
    calls: sorted.length,
    errors: books.errors,
    seconds,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
    maxMs: percentile(1),
    firstError: books.firstError ?? null,
  });
  // The figures of this process can still be read; whoever started it says when it may close.
  await buffer(process.stdin);
  await Promise.allSettled(sessions.map((session) => session.close()));
  process.exit(0);
}

async function keepCalling(session, told, books, note) {
  const isNextDue = () => books.running && (told.calls === undefined || books.left-- > 0);
  while (isNextDue()) {
    const startMs = performance.now();
    let failure;
    try {
      const result = await session.call(told.tool, told.arguments);
      if (result.isError) failure = 'isError';
    } catch (error) {
      failure = error;
    }
    if (!books.measuring) continue;
    if (failure === undefined) books.ms.push(performance.now() - startMs);
    else {
      books.errors += 1;
      note(failure);
    }
  }
}

function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
