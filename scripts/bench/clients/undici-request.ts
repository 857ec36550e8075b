import { Pool } from 'undici';
import type { ScenarioInput } from '../../../src/scenario/schema.js';
import { programOptions, say } from '../child-program.js';
import { measureWindow, type WindowFigures } from './measured-window.js';
import { streamableExchange } from './streamable-exchange.js';

// A program: calls over Streamable HTTP as most programs of Node would make them, by `request` of an undici Pool.

export interface UndiciRequestOptions {
  readonly url: string;
  readonly scenario: ScenarioInput;
  readonly connections: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

const { url, scenario, connections, warmupSeconds, seconds } = programOptions<UndiciRequestOptions>();
const { path, headers, textOf } = streamableExchange(url, scenario);
const pool = new Pool(new URL(url).origin, { connections, pipelining: 1 });
let done = 0;
let lastId = 0;

for (let i = 0; i < connections; i++) void keepCalling();
const window = await measureWindow(warmupSeconds, seconds, () => done);
say(window satisfies WindowFigures);
process.exit(0);

async function keepCalling(): Promise<void> {
  for (;;) {
    const id = ++lastId;
    const { body } = await pool.request({ method: 'POST', path, headers, body: textOf(id) });
    const answer = (await body.json()) as { id?: unknown; result?: unknown };
    if (answer.id !== id || answer.result === undefined)
      throw new Error(`call ${id} was answered ${JSON.stringify(answer)}`);
    done++;
  }
}
