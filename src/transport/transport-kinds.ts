import { type CallMetric, callMetrics, type HandshakeMetric } from '../stats/recorder.js';
import { sseKind } from './sse/sse-kind.js';
import type { CallMark, ShippedTransport, TransportKind } from './transport-kind.js';

/** Every transport there is; a new one is a folder and a line here. */
export const transportKinds = { sse: sseKind } as const satisfies Record<string, ShippedTransport>;

// Of MCP itself, whatever it is spoken over.
const mcpSteps = ['initialize', 'initialized', 'total'];

const metricsOfMark: Readonly<Record<CallMark, readonly CallMetric[]>> = {
  connect: ['call.connect'],
  ack: ['call.ack', 'call.ackToEvent', 'call.eventToAck'],
};

/** What is timed of a handshake over this transport, in order. */
export function handshakeMetricsOf({ steps }: TransportKind): HandshakeMetric[] {
  return [...steps, ...mcpSteps].map((step) => `handshake.${step}` as const);
}

/** What can be timed of a call over this transport, in the order of reports. */
export function callMetricsOf({ marks }: TransportKind): CallMetric[] {
  const impossible = new Set(
    Object.entries(metricsOfMark).flatMap(([mark, metrics]) =>
      marks.includes(mark as CallMark) ? [] : metrics,
    ),
  );
  return callMetrics.filter((metric) => !impossible.has(metric));
}

/** What is timed of handshakes over any transport. */
export function allHandshakeMetrics(): HandshakeMetric[] {
  return [...new Set(Object.values(transportKinds).flatMap(handshakeMetricsOf))];
}
