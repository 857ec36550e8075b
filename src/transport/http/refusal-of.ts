import type { Refusal } from '../transport.js';

/** What an answer to a POST that is no 2xx means; `note` says more of it, or is ''. */
export function refusalOf(status: number, note: string): Refusal {
  return {
    status,
    kind: `http ${status}`,
    text: `its POST was answered ${status}${note}`,
    // A proxy says 502 to 504 when the server behind it is gone.
    serverIsThere: status < 500,
  };
}
