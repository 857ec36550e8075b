import type { PeerCall } from './peer-call.js';
import { logLevels, scriptResult } from '../tools/tool-script.js';
import type { Announced, ToolScript, ToolStep } from '../tools/tool-script.js';
import { messageJson } from './era-text.js';
import { metaKeys } from './eras.js';
import type { DueQueue } from '../time/due-queue.js';
import type { Loop } from '../time/loop.js';
import type { RpcMessage } from '../protocol/json-rpc.js';
import type { Stats } from '../stats.js';
import { ToolFailed } from '../tools/tool.js';
import type { ToolOutcome } from '../tools/tool.js';

/** What the scripts of tools work with. */
export interface CallScriptParts {
  readonly loop: Loop;
  readonly due: DueQueue;
  readonly stats: Stats;
  announce(what: Announced): void;
  update(uri: string): void;
}

/** Does what tools do before they answer: waits, messages, questions to the client. */
export class CallScripts {
  constructor(private readonly using: CallScriptParts) {}

  /** Runs the script of a call, `input` being what its client has told it already; `done` gets its outcome. */
  run(
    call: PeerCall,
    script: ToolScript,
    input: Record<string, unknown>,
    done: (outcome: ToolOutcome) => void,
  ): void {
    const { args, outcome } = call.request;
    const answers: Record<string, unknown> = {};
    const context = { arguments: args, input, answers };
    // With sessions a server asks its client by requests of its own.
    const asks = call.request.peer.era === 'sessions' ? questionsOf(script) : [];
    const steps = [...asks, ...script.steps];
    const next = (at: number): void => {
      call.due = null;
      for (let i = at; i < steps.length; i++) {
        const step = steps[i]!;
        if (call.ended) return;
        if (step.kind === 'wait') {
          call.due = this.using.due.add(this.using.loop.nowNs() + step.ns, () => next(i + 1));
          return;
        }
        if (step.kind === 'request') {
          const into = i < asks.length ? input : answers;
          return this.ask(call, step, context, (problem, answer) => {
            if (problem !== undefined) return done(problem);
            into[step.as] = answer;
            next(i + 1);
          });
        }
        this.step(call, step, context);
      }
      done(scriptResult(script, context) ?? outcome);
    };
    next(0);
  }

  private step(
    call: PeerCall,
    step: Exclude<ToolStep, { kind: 'wait' | 'request' }>,
    context: Record<string, unknown>,
  ): void {
    if (step.kind === 'announce') return this.using.announce(step.what);
    if (step.kind === 'update') return this.using.update(step.uri);
    if (step.kind === 'disconnect') return void call.request.answer.disconnect();
    if (step.kind === 'log') {
      if (wantsLog(call, logLevels.indexOf(step.level)))
        this.notify(call, 'notifications/message', step.params.render(context));
      return;
    }
    if (step.kind === 'notify') return this.notify(call, step.method, step.params.render(context));
    const token = metaOf(call)['progressToken'];
    if (token === undefined) return;
    const { progress, total, message } = step;
    const params = { progressToken: token, progress, total, message };
    this.notify(call, 'notifications/progress', JSON.stringify(params));
  }

  private notify(call: PeerCall, method: string, paramsJson: string): void {
    if (call.request.answer.emit(messageJson(method, paramsJson))) this.using.stats.notificationsSent++;
  }

  private ask(
    call: PeerCall,
    step: Extract<ToolStep, { kind: 'request' }>,
    context: Record<string, unknown>,
    done: (problem: ToolFailed | undefined, answer?: unknown) => void,
  ): void {
    const { peer, answer } = call.request;
    if (peer.era === 'stateless')
      return done(new ToolFailed(`${step.method}: without sessions a server makes no requests`));
    const id = ++peer.lastAskedId;
    if (!answer.emit(messageJson(step.method, step.params.render(context), id)))
      return done(new ToolFailed(`${step.method}: there is no stream to ask on`));
    this.using.stats.serverRequestsSent++;
    call.asking = id;
    const close = (): void => {
      peer.asked.delete(id);
      call.asking = 0;
      if (call.due !== null) this.using.due.remove(call.due);
      call.due = null;
    };
    peer.asked.set(id, (message: RpcMessage) => {
      close();
      if (message.error === undefined) return done(undefined, message.result);
      const { message: text } = message.error as { message: string };
      done(new ToolFailed(`${step.method}: ${text}`));
    });
    call.due = this.using.due.add(this.using.loop.nowNs() + step.timeoutNs, () => {
      close();
      done(new ToolFailed(`${step.method}: the client did not answer`));
    });
  }
}

/** `_meta` of a call's parameters. */
export function metaOf(call: PeerCall): Record<string, unknown> {
  return (call.request.params['_meta'] ?? {}) as Record<string, unknown>;
}

function wantsLog(call: PeerCall, level: number): boolean {
  const { peer } = call.request;
  if (peer.era === 'sessions') return level >= peer.logLevel;
  const asked = logLevels.indexOf(metaOf(call)[metaKeys.logLevel] as (typeof logLevels)[number]);
  return asked >= 0 && level >= asked;
}

function questionsOf({ input }: ToolScript): ToolStep[] {
  return input.flatMap(({ requests }) =>
    Object.entries(requests).map(([as, { method, params }]) => ({
      kind: 'request' as const,
      method,
      params,
      as,
      timeoutNs: 60e9,
    })),
  );
}
