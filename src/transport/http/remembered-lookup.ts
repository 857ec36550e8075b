import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A look-up of one host for `connect` that asks the resolver once, and after a failure again. */
export function rememberedLookup(): LookupFunction {
  let found: readonly LookupAddress[] | null = null;
  let waiting: ((error: NodeJS.ErrnoException | null) => void)[] = [];
  const ask = (host: string): void =>
    dns.lookup(host, { all: true }, (error, addresses) => {
      if (error === null) found = addresses;
      const told = waiting;
      waiting = [];
      for (const tell of told) tell(error);
    });
  return (host, { all }, callback) => {
    const tell = (error: NodeJS.ErrnoException | null): void => {
      if (error !== null) callback(error, '');
      else if (all) callback(null, [...found!]);
      else callback(null, found![0]!.address, found![0]!.family);
    };
    // `connect` wants to be called back later, never at once.
    if (found !== null) process.nextTick(tell, null);
    else if (waiting.push(tell) === 1) ask(host);
  };
}
