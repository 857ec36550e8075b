// What a step of GitHub Actions says to the runner: inputs, outputs, annotations, escaped as the runner wants it.
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** An input that action.yml hands to the step by its environment, without the space around it. */
export function input(name) {
  return (process.env[`INPUT_${name}`] ?? '').trim();
}

/** Sets outputs of the step. The delimiter is random, so that no value can end itself and begin another output. */
export function setOutputs(outputs) {
  const text = Object.entries(outputs).map(([name, value]) => {
    const delimiter = `end-${randomBytes(16).toString('hex')}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  });
  appendFileSync(process.env.GITHUB_OUTPUT, text.join(''));
}

/** Marks the job with a line. */
export function annotate(kind, title, message) {
  const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = data(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  console.log(`::${kind} title=${property}::${data(message)}`);
}

/** Ends the step: this is wrong, and so it is put right. */
export function fail(message) {
  annotate('error', 'mcp-bench', message);
  process.exit(1);
}
