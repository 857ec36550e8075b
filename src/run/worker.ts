import { parentPort, workerData } from 'node:worker_threads';
import { ShardRunner } from '../load/shard-runner.js';
import { transportKinds } from '../transport/transport-kinds.js';
import type { FromWorker, ToWorker, WorkerAssignment } from './messages.js';

// The entry of a worker thread: a shard runner with a message port in front of it.

const pulseMs = 250;
const { plan, shard, ip, spin, clientVersion } = workerData as WorkerAssignment;
const port = parentPort!;
const say = (message: FromWorker): void => port.postMessage(message);

const transport = await transportKinds[plan.target.transport].load();
const runner = new ShardRunner(
  { plan, shard, spin, clientVersion, createTransport: (turn) => transport.create(plan, ip, turn) },
  {
    onOpened: () => {
      sayProcesses();
      say({ type: 'opened', ready: runner.sessionsReady, ...runner.openingTrouble });
    },
    onInterval: (interval, soFar) => say({ type: 'interval', interval, soFar }),
    onMeasuring: () => say({ type: 'measuring' }),
    onMeasured: () => say({ type: 'measured' }),
    onDrained: () => void finish(),
  },
);
const pulse = setInterval(() => {
  say({
    type: 'pulse',
    sessionsReady: runner.sessionsReady,
    inFlight: runner.inFlight,
    okTotal: runner.okTotal,
  });
  sayProcesses();
}, pulseMs);

let processesSaid = '';

function sayProcesses(): void {
  const pids = runner.processes;
  const text = pids.join(' ');
  if (text === processesSaid) return;
  processesSaid = text;
  say({ type: 'processes', pids });
}

async function finish(): Promise<void> {
  clearInterval(pulse);
  const final = await runner.finish();
  say({ type: 'done', final });
  port.close();
}

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'openFirst':
      return runner.openFirst();
    case 'openAll':
      return runner.openAll(message.startNs);
    case 'start':
      return runner.start(message.startNs);
    case 'stop':
      return runner.stop();
    case 'abort':
      return runner.abort();
  }
});
