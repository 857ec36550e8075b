import { printableWords, redact, redactAll } from '../text/secrets.js';
import type { TargetInfo } from './result.js';

/** What a result says of its target, without secrets: in its URL or command, in the server's own words and in the name of its process. */
export function printableTargetInfo(target: TargetInfo): TargetInfo {
  const { url, command, server, protocolVersion, resources } = target;
  return {
    ...target,
    ...(url === undefined ? {} : { url: redact(url) }),
    ...(command === undefined ? {} : { command: printableWords(command) }),
    server: redactAll(server),
    protocolVersion: redactAll(protocolVersion),
    ...(resources ? { resources: { ...resources, name: redactAll(resources.name) } } : {}),
  };
}
