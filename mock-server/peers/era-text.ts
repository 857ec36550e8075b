import { errorJson, RpcError } from '../protocol/json-rpc.js';
import { ToolFailed, ToolResult } from '../tools/tool.js';
import type { ToolOutcome } from '../tools/tool.js';

/** A result that is no complete one, as JSON. */
export class InputRequired {
  constructor(readonly json: string) {}
}

/** What a call over Streamable HTTP can come to. */
export type PeerOutcome = ToolOutcome | InputRequired;

/** How one era writes responses: in the stateless one every result says that it is complete. */
export class EraText {
  constructor(
    private readonly completeMember: string,
    private readonly cacheMembers: string,
  ) {}

  /** The response to a call. */
  ofCall(idJson: string, outcome: PeerOutcome): string {
    if (typeof outcome === 'string') {
      // A tool's value is JSON: a string is its own text, anything else is shown as the text of its JSON.
      const text = outcome.charCodeAt(0) === 34 ? outcome : JSON.stringify(outcome);
      return `{"jsonrpc":"2.0","id":${idJson},"result":{"content":[{"type":"text","text":${text}}]${this.completeMember}}}`;
    }
    if (outcome instanceof ToolResult) return this.response(idJson, this.complete(outcome.json));
    if (outcome instanceof InputRequired) return this.response(idJson, outcome.json);
    if (outcome instanceof ToolFailed) {
      const text = JSON.stringify(outcome.message);
      return this.response(
        idJson,
        `{"content":[{"type":"text","text":${text}}],"isError":true${this.completeMember}}`,
      );
    }
    return this.error(idJson, outcome);
  }

  /** The response to any other request; `cacheable` for those that say for how long they hold. */
  ofMethod(idJson: string, outcome: string | RpcError | InputRequired, cacheable: boolean): string {
    if (outcome instanceof RpcError) return this.error(idJson, outcome);
    if (outcome instanceof InputRequired) return this.response(idJson, outcome.json);
    return this.response(idJson, this.complete(outcome, cacheable ? this.cacheMembers : ''));
  }

  error(idJson: string, error: RpcError): string {
    return `{"jsonrpc":"2.0","id":${idJson},"error":${errorJson(error)}}`;
  }

  private response(idJson: string, result: string): string {
    return `{"jsonrpc":"2.0","id":${idJson},"result":${result}}`;
  }

  private complete(result: string, more = ''): string {
    const members = this.completeMember + more;
    if (members === '') return result;
    return `${result.slice(0, -1)}${result === '{}' ? members.slice(1) : members}}`;
  }
}

/** A message that is no response. */
export function messageJson(method: string, paramsJson: string, id?: number): string {
  const idMember = id === undefined ? '' : `"id":${id},`;
  return `{"jsonrpc":"2.0",${idMember}"method":${JSON.stringify(method)},"params":${paramsJson}}`;
}
