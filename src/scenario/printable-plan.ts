import type { Plan } from './plan.js';

const secretName = /auth|cookie|token|key|secret|password|credential/i;
const hidden = '***';
const rowsShown = 3;

/** The plan as it may be shown and stored: without secrets, and with the first rows of each data file only. */
export function printablePlan(plan: Plan): Plan {
  const { headers, tls, url } = plan.target;
  return {
    ...plan,
    target: {
      ...plan.target,
      url: hideQuerySecrets(url),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? hidden : value]),
      ),
      tls: { ...tls, key: tls.key === null ? null : hidden },
    },
    data: Object.fromEntries(
      Object.entries(plan.data).map(([name, rows]) => [name, rows.slice(0, rowsShown)]),
    ),
  };
}

// Not by way of URL, which would escape the braces of {session}.
function hideQuerySecrets(url: string): string {
  return url.replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, before: string, name: string) =>
    secretName.test(name) ? `${before}${name}=${hidden}` : whole,
  );
}
