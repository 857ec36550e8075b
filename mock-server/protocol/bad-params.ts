import { RpcCode, RpcError } from './json-rpc.js';

/** The error for an argument that is not there. */
export function missingField(name: string): RpcError {
  return new RpcError(RpcCode.invalidParams, `Invalid params: missing required field '${name}'`);
}

/** The error for an argument of the wrong type or size. */
export function wrongField(name: string, expected: string): RpcError {
  return new RpcError(RpcCode.invalidParams, `Invalid params: field '${name}' must be ${expected}`);
}
