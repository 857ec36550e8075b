import { namesSecret } from '../text/secret-names.js';
import { looksLikeToken } from '../text/secrets.js';

/** A URL as a file may hold it, and the environment variables that it takes its secrets from. */
export interface DraftUrl {
  readonly url: string;
  /** By name: the value that the URL was given with. */
  readonly variables: Readonly<Record<string, string>>;
}

// What is shorter, and not called a secret, chooses something: `transport=sse`.
const shortestSecret = 8;

/** Puts `{{env NAME}}` in the place of each value of a query, and each segment of a path, that may be a secret. */
export function draftUrl(given: string): DraftUrl {
  const variables: Record<string, string> = {};
  const hide = (name: string, value: string): string => {
    const stem = `MCP_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
    let variable = stem;
    for (let count = 2; Object.hasOwn(variables, variable); count++) variable = `${stem}_${count}`;
    variables[variable] = decoded(value);
    return `{{env ${variable}}}`;
  };
  const [, origin = '', path = '', rest = ''] = /^([^/]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(given) ?? [
    '',
    given,
  ];
  const segments = path
    .split('/')
    .map((segment) => (looksLikeToken(segment) ? hide('path', segment) : segment));
  const query = rest.replace(
    /([?&])([^=&#]*)=([^&#]*)/g,
    (whole, before: string, name: string, value: string) => {
      if (value === '{session}' || (!namesSecret(name) && value.length < shortestSecret)) return whole;
      return `${before}${name}=${hide(name, value)}`;
    },
  );
  return { url: origin + segments.join('/') + query, variables };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
