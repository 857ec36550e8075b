import { mockLonePart } from './mock-lone.js';
import { mockRatePart } from './mock-rate.js';
import { mockSessionsPart } from './mock-sessions.js';
import { mockVariantsPart } from './mock-variants.js';
import { runSuite } from './suite.js';

// `npm run bench:mock`: how fast the mock is, as ratios within this run.

await runSuite({
  name: 'mock',
  title: 'How fast the mock is',
  parts: {
    rate: mockRatePart,
    lone: mockLonePart,
    sessions: mockSessionsPart,
    variants: mockVariantsPart,
  },
  notes: [
    'The mock, and each client, in a process of its own. The reference client is raw sockets that parse nothing: scripts/bench/clients/reference-client.ts.',
  ],
});
