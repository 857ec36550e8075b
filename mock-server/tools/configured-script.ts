import type { InputConfig, StepConfig } from '../config/offers-config.js';
import type { InputRound } from '../offers/input-rounds.js';
import { Template } from './template.js';
import type { ToolStep } from './tool-script.js';

/** The rounds of a configuration, ready to be filled. */
export function inputRoundsOf(input: InputConfig | undefined): InputRound[] {
  return (input ?? []).map(({ requests, state }) => ({
    state,
    requests: Object.fromEntries(
      Object.entries(requests).map(([name, { method, params }]) => [
        name,
        { method, params: new Template(params) },
      ]),
    ),
  }));
}

/** The steps of a configuration, ready to be done. */
export function stepsOf(steps: readonly StepConfig[] | undefined): ToolStep[] {
  return (steps ?? []).map((step): ToolStep => {
    if ('wait' in step) return { kind: 'wait', ns: step.wait };
    if ('progress' in step) return { kind: 'progress', ...(step as { progress: number }) };
    if ('log' in step)
      return {
        kind: 'log',
        level: step.level,
        params: new Template({ level: step.level, logger: step.logger, data: step.log }),
      };
    if ('notify' in step) return { kind: 'notify', method: step.notify, params: new Template(step.params) };
    if ('request' in step)
      return {
        kind: 'request',
        method: step.request,
        params: new Template(step.params),
        as: step.as,
        timeoutNs: step.timeout,
      };
    if ('announce' in step) return { kind: 'announce', what: step.announce };
    return 'update' in step ? { kind: 'update', uri: step.update } : { kind: 'disconnect' };
  });
}
