import { ExitCode, Failure } from '../failure.js';
import { plainKind } from '../mcp/message-kind.js';
import { readMessages } from '../mcp/read-messages.js';
import type { CommandPlan } from '../scenario/plan.js';
import { redact } from '../text/secrets.js';
import { stdioKind } from '../transport/stdio/stdio-kind.js';
import { StdioTransport } from '../transport/stdio/stdio-transport.js';
import type { Channel, ChannelHandler, ChannelLoss, Outgoing } from '../transport/transport.js';
import { Turn } from '../transport/turn.js';
import { discoverMessage } from './questions.js';
import { discoveredRevision, sessionRevisions, statelessRevisions } from './read-discovery.js';
import type { Spoken } from './spoken.js';

/**
 * Finds out which era a command speaks over stdio, by starting it and asking `server/discover`: any error, and silence for so long, mean
 * sessions. Throws a Failure of one line where it cannot be started.
 */
export async function detectCommand(
  command: CommandPlan,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Spoken> {
  const transport = new StdioTransport(command, new Turn(), 1);
  const question = new DiscoverQuestion();
  const channel = transport.open(0, question);
  question.askOver(channel);
  const giveUp = (): void => question.settle(null);
  const timer = setTimeout(giveUp, limitMs);
  signal?.addEventListener('abort', giveUp);
  try {
    const revision = await question.revision;
    return {
      url: '',
      transport: 'stdio',
      era: revision === null ? 'sessions' : 'stateless',
      protocolVersion: revision ?? sessionRevisions[0]!,
      dialect: null,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    channel.end('close');
    await transport.settle();
    transport.close();
  }
}

/** Asks as soon as the channel is open, and listens for nothing but the answer. */
class DiscoverQuestion implements ChannelHandler, Outgoing {
  readonly answered = false;
  settle: (revision: string | null) => void = () => {};
  private refuse: (failure: Failure) => void = () => {};
  /** That of the stateless era which the server knows; null where it is of the other one. */
  readonly revision = new Promise<string | null>((resolve, reject) => {
    this.settle = resolve;
    this.refuse = reject;
  });
  private readonly asked = statelessRevisions[0]!;
  private channel: Channel | null = null;

  askOver(channel: Channel): void {
    this.channel = channel;
  }

  onOpen(): void {
    this.channel!.send(discoverMessage(this.asked), false, this, plainKind('server/discover'));
  }

  onMessage(buffer: Buffer, start: number, end: number): void {
    for (const message of readMessages(buffer.toString('utf8', start, end)))
      if (message.kind === 'response') this.settle(discoveredRevision(message.body, this.asked, true));
  }

  onClosed({ kind, message }: ChannelLoss): void {
    const advice = stdioKind.advise(kind, message);
    if (kind === 'spawn' || kind === 'limit')
      this.refuse(new Failure(redact(`no session: ${message}${advice}`), ExitCode.runFailed));
    // As some older servers do with a message that they do not know.
    else this.settle(null);
  }

  onStep(): void {}
  onRefusalBody(): void {}
  onListening(): void {}
  onForgotten(): void {}
  onTruncated(): void {}
  onAlive(): void {}
  onSent(): void {}
  onAccepted(): void {}
  onRefused(): void {}
  onReply(): void {}
  onFirstMessage(): void {}
  onReplyEnded(): void {}
  onFailed(): void {}
}
