// A command whose output is kept, and which does not run for ever.
import { spawn } from 'node:child_process';

/** Runs a command to its end, or to the end of `limitMs`; resolves to its exit code, signal or error, and all that it wrote. */
export function runLimited(command, args, { limitMs, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const end = (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(code ?? signal));
  });
}
