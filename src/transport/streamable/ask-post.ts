import { request } from 'undici';
import type { TargetPlan } from '../../scenario/plan.js';
import { targetAgent } from '../http/target-agent.js';
import type { NotReady } from '../transport-kind.js';

// 404, 429 and 5xx are what servers and proxies answer while they start: those are waited out.
const refusals: readonly number[] = [401, 403, 405, 406, 407, 410, 415, 426];
// Of no session, so that a server which wants one says so, and makes none.
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Whether the target answers a POST as a server of Streamable HTTP does, be it by refusing what has no session; null where it does. */
export async function askPost(target: TargetPlan, signal: AbortSignal): Promise<NotReady | null> {
  const agent = targetAgent(target);
  const wait = (text: string): NotReady => ({ text, refused: false });
  try {
    const { statusCode, body } = await request(target.url.replaceAll('{session}', '0'), {
      dispatcher: agent,
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...target.headers,
      },
      body: ping,
      signal,
    });
    body.on('error', () => {});
    body.destroy();
    if (statusCode < 300 || statusCode === 400) return null;
    return {
      text: `POST ${new URL(target.url).pathname} answered ${statusCode}${adviceOn(statusCode)}`,
      refused: refusals.includes(statusCode),
    };
  } catch (error) {
    if (signal.aborted) return wait('it accepted no connection, or never answered');
    const { code, message } = error as NodeJS.ErrnoException;
    return wait(code === 'ECONNREFUSED' ? 'nobody listens at its URL' : message);
  } finally {
    await agent.destroy();
  }
}

function adviceOn(statusCode: number): string {
  if (statusCode === 401 || statusCode === 403) return ': give it a token or headers';
  if (statusCode === 405) return ': this may be a server of HTTP+SSE';
  return '';
}
