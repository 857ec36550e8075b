import type { TransportName } from '../scenario/plan.js';
import { type CallMetric, callMetrics, type HandshakeMetric } from '../stats/recorder.js';
import { sseKind } from './sse/sse-kind.js';
import { stdioKind } from './stdio/stdio-kind.js';
import { streamableKind } from './streamable/streamable-kind.js';
import type { CallMark, ShippedTransport, TransportKind } from './transport-kind.js';

/** Every transport there is; a new one is a folder and a line here. */
export const transportKinds = {
  sse: sseKind,
  streamable: streamableKind,
  stdio: stdioKind,
} as const satisfies Record<TransportName, ShippedTransport>;

const marks: readonly CallMark[] = ['connect', 'ack', 'ackToEvent', 'eventToAck', 'firstEvent', 'release'];

/** What is timed of a handshake over this transport, in order. */
export function handshakeMetricsOf({ steps }: Pick<TransportKind, 'steps'>): HandshakeMetric[] {
  return [...steps, 'total'].map((step) => `handshake.${step}` as const);
}

/** What can be timed of a call over this transport, in the order of reports. */
export function callMetricsOf(kind: TransportKind): CallMetric[] {
  const impossible = new Set<string>(
    marks.filter((mark) => !kind.marks.includes(mark)).map((mark) => `call.${mark}`),
  );
  return callMetrics.filter((metric) => !impossible.has(metric));
}

/** What is timed of handshakes over any transport. */
export function allHandshakeMetrics(): HandshakeMetric[] {
  const steps = Object.values(transportKinds).flatMap((kind): readonly string[] => kind.steps);
  return handshakeMetricsOf({ steps: [...new Set(steps)] });
}
