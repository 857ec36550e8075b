import { Agent } from 'undici';
import type { TargetPlan } from '../../scenario/plan.js';

const connectLimitMs = 5000;

/** A client of undici for a few questions to a target, through its TLS or its socket. */
export function targetAgent({ tls, unixSocket }: TargetPlan): Agent {
  return new Agent({
    connect: {
      timeout: connectLimitMs,
      rejectUnauthorized: tls.verify,
      ...(tls.ca === null ? {} : { ca: tls.ca }),
      ...(tls.cert === null ? {} : { cert: tls.cert }),
      ...(tls.key === null ? {} : { key: tls.key }),
      ...(unixSocket === null ? {} : { socketPath: unixSocket }),
    },
  });
}
