import { generatorBurstPart } from './generator-burst.js';
import { generatorLonePart } from './generator-lone.js';
import { generatorRatePart } from './generator-rate.js';
import { generatorSessionsPart } from './generator-sessions.js';
import { generatorStdioPart } from './generator-stdio.js';
import { generatorStreamablePart } from './generator-streamable.js';
import { generatorWorkersPart } from './generator-workers.js';
import { runSuite } from './suite.js';

// `npm run bench`: how fast the load generator is, as ratios within this run.

await runSuite({
  name: 'generator',
  title: 'How fast the load generator is',
  parts: {
    rate: generatorRatePart,
    burst: generatorBurstPart,
    lone: generatorLonePart,
    sessions: generatorSessionsPart,
    streamable: generatorStreamablePart,
    stdio: generatorStdioPart,
    workers: generatorWorkersPart,
  },
  notes: [
    'The mock, and each client, in a process of its own; the generator as `mcp-bench run` uses it, with one worker, every answer checked against what was sent.',
    'CPU is that of the whole client process, per call or per POST.',
  ],
});
