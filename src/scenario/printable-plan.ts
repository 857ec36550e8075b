import { namesSecret } from '../text/secret-names.js';
import { hidden, hideCertain, redact, redactAll } from '../text/secrets.js';
import type { DataRow, Plan, TargetPlan } from './plan.js';

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

/** How a target is reached, without what opens it: no header's value, no private key. */
export function printableTarget({ url, headers, tls, ...target }: TargetPlan): TargetPlan {
  return {
    url: redact(url),
    ...target,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, hidden])),
    tls: { ...tls, ca: pem(tls.ca), cert: pem(tls.cert), key: pem(tls.key) },
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
