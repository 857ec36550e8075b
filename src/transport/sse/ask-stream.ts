import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'undici';
import type { TargetPlan } from '../../scenario/plan.js';
import { cut, longestName } from '../../text/cut.js';
import { headNote } from '../../wire/head-note.js';
import { targetAgent } from '../http/target-agent.js';
import type { NotReady } from '../transport-kind.js';

// 404, 429 and 5xx are what servers and proxies answer while they start: those are waited out.
const refusals: readonly number[] = [400, 401, 403, 405, 406, 407, 410, 415, 426];

/** Whether the target's event stream answers a GET with 200 and `text/event-stream`; null where it does. */
export async function askStream(target: TargetPlan, signal: AbortSignal): Promise<NotReady | null> {
  const agent = targetAgent(target);
  const wait = (text: string): NotReady => ({ text, refused: false });
  try {
    const { statusCode, headers, body } = await request(target.url.replaceAll('{session}', '0'), {
      dispatcher: agent,
      headers: { accept: 'text/event-stream', 'cache-control': 'no-cache', ...target.headers },
      signal,
    });
    body.on('error', () => {});
    body.destroy();
    const type = cut(String(headers['content-type'] ?? 'no content type').split(';')[0]!, longestName);
    if (statusCode !== 200)
      return {
        text: `GET ${new URL(target.url).pathname} answered ${statusCode}${redirectOf(statusCode, headers)}${adviceOn(statusCode)}`,
        refused: refusals.includes(statusCode),
      };
    return type === 'text/event-stream' ? null : wait(`its answer was ${type}, not an event stream`);
  } catch (error) {
    if (signal.aborted) return wait('it accepted no connection, or never answered');
    const { code, message } = error as NodeJS.ErrnoException;
    return wait(code === 'ECONNREFUSED' ? 'nobody listens at its URL' : message);
  } finally {
    await agent.destroy();
  }
}

function redirectOf(statusCode: number, { location = '' }: IncomingHttpHeaders): string {
  return headNote(statusCode, { location, get: () => undefined });
}

function adviceOn(statusCode: number): string {
  if (statusCode === 401 || statusCode === 403) return ': give it a token or headers';
  if (statusCode === 405) return ': this may be a Streamable HTTP server';
  return '';
}
