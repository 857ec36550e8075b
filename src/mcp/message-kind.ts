import type { MirroredArgument } from '../scenario/plan.js';
import type { MessageKind } from '../transport/transport.js';
import { mirroredTexts } from './mirrored-arguments.js';

/** What of its params a request is about, by its method. */
const subjects: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Whether what a request is about stands in its params alone. */
export function isAboutParams(method: string): boolean {
  return Object.hasOwn(subjects, method);
}

/** What a message of this method is about where nothing more is known of it. */
export function plainKind(method: string): MessageKind {
  return { method, subject: null, mirrored: [], once: false };
}

/** What a request is about, from its own text. `once`: another of its kind may be about something else. */
export function kindOfRequest(
  method: string,
  text: string,
  mirrored: readonly MirroredArgument[],
  once: boolean,
): MessageKind {
  const { params } = JSON.parse(text) as { params?: Readonly<Record<string, unknown>> };
  const subject = params?.[subjects[method] ?? ''];
  return {
    method,
    subject: typeof subject === 'string' ? subject : null,
    mirrored: mirroredTexts(mirrored, params?.['arguments']),
    once,
  };
}
