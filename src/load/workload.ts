import type { Dialect } from '../mcp/dialect.js';
import { eraOf } from '../mcp/era.js';
import { isAboutParams, kindOfRequest, plainKind } from '../mcp/message-kind.js';
import { messageTemplate, type MessageTemplate } from '../mcp/messages.js';
import { compileExpectation, type Expectation } from '../scenario/expectation.js';
import type { JsonValue, OperationPlan, Plan, ResolvedPlan } from '../scenario/plan.js';
import { hashSeed, Random } from '../scenario/random.js';
import type { TemplateContext } from '../scenario/template-expression.js';
import { compileTemplate, type Template } from '../scenario/template.js';
import type { MessageKind } from '../transport/transport.js';
import { isAscii } from '../scenario/ascii.js';

/** One kind of request of the mix, compiled. */
export interface Operation {
  readonly plan: OperationPlan;
  readonly expectation: Expectation | null;
  /** Nothing but `expect: echo` is asked, which a comparison of bytes can nearly always answer. */
  readonly onlyEcho: boolean;
  /** Its requests hold nothing but ASCII, whatever the call. */
  readonly ascii: boolean;
  /** What all its requests are about; null where each may be about something else, or that is not known yet. */
  kind: MessageKind | null;
  /** The scenario wants tools that fail: an error result is then no `toolError`. */
  readonly errorExpected: boolean;
}

/** What to send: the mix by weight, arguments from templates. The same seed and number of a call give the same operation and the same values. */
export class Workload {
  readonly operations: readonly Operation[];
  /** For those whose messages say the same in every dialect, but for their opening and their end. */
  private readonly templates: readonly Template[];
  private dialect: Dialect | null = null;
  private spoken: Spoken = { texts: [], templates: [] };
  private readonly known = new Map<Dialect, Spoken>();
  private readonly cumulative: readonly number[];
  private readonly context: TemplateContext;

  constructor(private readonly plan: Plan & Pick<ResolvedPlan, 'mirrored'>) {
    this.templates = plan.operations.map((operation) => compileTemplate(operation.arguments, plan.data));
    this.operations = plan.operations.map((operation, index) => ({
      plan: operation,
      expectation: compileExpectation(operation.expect, plan.data),
      onlyEcho: operation.expect.length === 1 && operation.expect[0].kind === 'echo',
      ascii: this.templates[index].ascii && isAscii(operation.method) && isAscii(operation.tool ?? ''),
      kind: this.isAboutOneThing(index) ? { ...plainKind(operation.method), subject: operation.tool } : null,
      errorExpected: operation.expect.some((expect) => expect.kind === 'isError' && expect.value),
    }));
    let sum = 0;
    this.cumulative = plan.operations.map((operation) => (sum += operation.weight));
    this.context = {
      seq: 0,
      session: 0,
      row: 0,
      echo: '',
      seed: plan.seed,
      random: new Random(hashSeed(plan.seed)),
    };
  }

  /** Which operation the call with this number is. */
  pick(seq: number): number {
    const last = this.cumulative.length - 1;
    if (last === 0) return 0;
    const point = unitHash(this.plan.seed, seq) * this.cumulative[last];
    let index = 0;
    while (index < last && this.cumulative[index] <= point) index++;
    return index;
  }

  /** The text of a request. The message that an echo must return is left in `lastEcho`. */
  render(operation: number, seq: number, session: number, id: number, dialect: Dialect): string {
    return this.textBeforeId(operation, dialect) + id + this.renderAfterId(operation, seq, session, dialect);
  }

  /** What of a request's text comes before the id. */
  textBeforeId(operation: number, dialect: Dialect): string {
    return this.spokenIn(dialect).texts[operation].beforeId;
  }

  /** What comes after it. The message that an echo must return is left in `lastEcho`. */
  renderAfterId(operation: number, seq: number, session: number, dialect: Dialect): string {
    const { context } = this;
    context.seq = seq;
    context.session = session;
    context.row = seq;
    context.echo = '';
    const { texts, templates } = this.spokenIn(dialect);
    if (templates[operation].varies === 'call') context.random.seek(seq);
    const text = texts[operation];
    return text.afterId + templates[operation].render(context) + text.end;
  }

  /** What a request is about: of most operations all are about the same. */
  kindOf(operation: number, text: string): MessageKind {
    const one = this.operations[operation];
    if (one.kind !== null) return one.kind;
    const { constant } = this.templates[operation];
    const kind = kindOfRequest(one.plan.method, text, this.plan.mirrored?.[operation] ?? [], !constant);
    if (constant) one.kind = kind;
    return kind;
  }

  get lastEcho(): string {
    return this.context.echo;
  }

  private isAboutOneThing(operation: number): boolean {
    if ((this.plan.mirrored?.[operation] ?? []).length > 0) return false;
    const { method, tool } = this.plan.operations[operation];
    return tool !== null || !isAboutParams(method) || eraOf(this.plan.target.protocol) === 'sessions';
  }

  private spokenIn(dialect: Dialect): Spoken {
    // Mostly the one of the call before.
    if (dialect !== this.dialect) {
      this.dialect = dialect;
      this.spoken = this.known.get(dialect) ?? this.learn(dialect);
    }
    return this.spoken;
  }

  private learn(dialect: Dialect): Spoken {
    const { operations, data } = this.plan;
    const spoken = {
      texts: operations.map(({ method, tool }) => messageTemplate(method, tool, dialect)),
      templates: operations.map((operation, at) =>
        // A tool's arguments are its own; the params of any other method hold `_meta`, too.
        operation.tool !== null || dialect.meta === null
          ? this.templates[at]
          : compileTemplate(withMeta(operation.arguments, dialect.meta), data),
      ),
    };
    this.known.set(dialect, spoken);
    return spoken;
  }
}

/** What the requests of a plan are made of in a dialect, by operation. */
interface Spoken {
  readonly texts: readonly MessageTemplate[];
  readonly templates: readonly Template[];
}

function withMeta(params: JsonValue, meta: Readonly<Record<string, unknown>>): JsonValue {
  const given = params as { readonly [key: string]: JsonValue };
  const own = given['_meta'];
  const kept = typeof own === 'object' && own !== null && !Array.isArray(own) ? own : {};
  return { ...given, _meta: { ...kept, ...(meta as { readonly [key: string]: JsonValue }) } };
}

// A hash of two whole numbers as a point in [0, 1): no state, so the order of calls does not matter.
function unitHash(seed: number, seq: number): number {
  let hash =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(seq | 0, 0xc2b2ae35) ^ Math.floor(seq / 2 ** 32);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
