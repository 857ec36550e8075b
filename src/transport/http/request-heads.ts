import { type HeadPart, strayInHead } from '../../wire/head-text.js';
import type { Address } from './address.js';

/** Headers that only some requests have, such as those of a session. */
export type MoreHeaders = readonly (readonly [name: string, value: string])[];

/** Writes the heads of all requests to a target, with the user's headers in them and one Host. */
export class RequestHeads {
  private readonly own: string;
  /** The user's own `Host`, in place of the URL's; a request may have but one. */
  private readonly host: string | undefined;

  constructor(headers: Readonly<Record<string, string>>) {
    let own = '';
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() === 'host') this.host = value;
      else own += header(name, value);
    }
    this.own = own;
  }

  /** The whole request for an event stream. */
  stream(path: string, address: Address, more: MoreHeaders = []): string {
    return (
      this.opening('GET', path, address) +
      'Accept: text/event-stream\r\nAccept-Encoding: identity\r\nCache-Control: no-cache\r\n' +
      `Connection: keep-alive\r\n${this.own}${lines(more)}\r\n`
    );
  }

  /** The head of a POST up to the value of its Content-Length. */
  post(path: string, address: Address, more: MoreHeaders = []): string {
    return (
      this.opening('POST', path, address) +
      'Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n' +
      `${this.own}${lines(more)}Content-Length: `
    );
  }

  /** The head of a DELETE, likewise: its body is empty. */
  delete(path: string, address: Address, more: MoreHeaders): string {
    return `${this.opening('DELETE', path, address)}${this.own}${lines(more)}Content-Length: `;
  }

  private opening(method: string, path: string, address: Address): string {
    return `${method} ${checked('target', path)} HTTP/1.1\r\n${header('Host', this.host ?? address.hostHeader)}`;
  }
}

function lines(more: MoreHeaders): string {
  return more.map(([name, value]) => header(name, value)).join('');
}

function header(name: string, value: string): string {
  return `${checked('name', name)}: ${checked('value', value)}\r\n`;
}

// Whoever took the text in has refused it where it is wrong; one that comes this far is a bug.
function checked(part: HeadPart, text: string): string {
  const stray = strayInHead(part, text);
  if (stray !== null) throw new Error(`${stray} in the ${part} of a request head`);
  return text;
}
