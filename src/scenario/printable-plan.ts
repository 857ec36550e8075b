import { namesSecret } from '../text/secret-names.js';
import { hidden, hideCertain, printableWords, redact, redactAll } from '../text/secrets.js';
import type { CommandPlan, DataRow, Plan, TargetPlan } from './plan.js';

/** The plan as it may be shown and stored: without secrets, and with the first rows of each data file at the most. */
export function printablePlan(plan: Plan, rowsShown: number): Plan {
  return {
    ...plan,
    target: printableTarget(plan.target),
    data: Object.fromEntries(
      Object.entries(rowsShown === 0 ? {} : plan.data).map(([name, rows]) => [
        name,
        rows.slice(0, rowsShown).map(printableRow),
      ]),
    ),
    operations: plan.operations.map((operation) => ({
      ...operation,
      arguments: hideCertain(operation.arguments),
      expect: operation.expect.map((each) =>
        each.kind === 'equals' ? { ...each, ...hideCertain({ path: each.path, value: each.value }) } : each,
      ),
    })),
    tags: redactAll(plan.tags),
  };
}

/** How a target is reached, without what opens it: no header's value, no private key, no value of its environment. */
export function printableTarget({ url, command, headers, tls, ...target }: TargetPlan): TargetPlan {
  return {
    url: redact(url),
    ...(command === undefined ? {} : { command: printableCommand(command) }),
    ...target,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, hidden])),
    tls: { ...tls, ca: pem(tls.ca), cert: pem(tls.cert), key: pem(tls.key) },
  };
}

// A value of an environment is where secrets are put so that they are nowhere else.
function printableCommand({ command, env, cwd }: CommandPlan): CommandPlan {
  return {
    command: printableWords(command),
    env: Object.fromEntries(Object.keys(env).map((name) => [name, hidden])),
    cwd: redact(cwd),
  };
}

// A file of certificates may have the key in it as well.
function pem(text: string | null): string | null {
  return text === null ? null : hidden;
}

function printableRow(row: DataRow): DataRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, namesSecret(name) ? hidden : redactAll(value)]),
  );
}
