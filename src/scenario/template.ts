import { Failure } from '../failure.js';
import { isAscii } from './ascii.js';
import type { JsonValue } from './plan.js';
import { compileExpression, escapeText } from './template-expression.js';
import type { DataSets, Expression, Piece, TemplateContext, Varies } from './template-expression.js';

/** JSON with templates in its strings, compiled: `render` gives JSON text. */
export interface Template {
  /** Every call gets the same text, and the very same string. */
  readonly constant: boolean;
  readonly varies: Varies;
  /** Nothing but ASCII is ever rendered. */
  readonly ascii: boolean;
  /** JSON text for this call; leaves the rendered `message` in `context.echo`, or an empty string where there is none. */
  render(context: TemplateContext): string;
}

/** A template that cannot be compiled: which string of the value it stands in, and which expression of it is wrong. */
export class TemplateFailure extends Failure {
  constructor(
    message: string,
    readonly path: readonly (string | number)[],
    readonly expression: string,
  ) {
    super(message);
    this.name = 'TemplateFailure';
  }
}

/** Compiles a JSON value whose strings may hold `{{expressions}}`. Keys are taken as they are; `{{{{` stands for `{{`. */
export function compileTemplate(value: JsonValue, data: DataSets): Template {
  const before = new Segments();
  const message = new Segments();
  const after = new Segments();
  if (!isTextMessage(value, data)) {
    append(before, value, data, []);
  } else {
    let into = before;
    before.add('{');
    for (const [index, [key, member]] of Object.entries(value).entries()) {
      into.add(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`);
      append(key === 'message' ? message : into, member, data, [key]);
      if (key === 'message') into = after;
    }
    after.add('}');
  }
  return before.constant && message.constant && after.constant
    ? new ConstantTemplate(before.head + message.head + after.head, message.head)
    : new VaryingTemplate(before, message, after);
}

/** Whether the value is an object whose `message` is text on every call, as `expect: echo` needs. */
export function isTextMessage(
  value: JsonValue,
  data: DataSets,
): value is { readonly [key: string]: JsonValue } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const message = (value as { readonly [key: string]: JsonValue })['message'];
  if (!Object.hasOwn(value, 'message') || typeof message !== 'string') return false;
  const segments = new Segments();
  append(segments, message, data, ['message']);
  return segments.head.startsWith('"');
}

class ConstantTemplate implements Template {
  readonly constant = true;
  readonly varies = 'never';
  readonly ascii: boolean;

  constructor(
    private readonly text: string,
    private readonly echo: string,
  ) {
    this.ascii = isAscii(text);
  }

  render(context: TemplateContext): string {
    context.echo = this.echo;
    return this.text;
  }
}

class VaryingTemplate implements Template {
  readonly constant = false;
  readonly varies: Varies;
  readonly ascii: boolean;

  constructor(
    private readonly before: Segments,
    private readonly message: Segments,
    private readonly after: Segments,
  ) {
    this.varies = [before, message, after].some((segments) => segments.varies === 'call') ? 'call' : 'row';
    this.ascii = [before, message, after].every((segments) => segments.ascii);
  }

  render(context: TemplateContext): string {
    const before = this.before.render(context);
    context.echo = this.message.render(context);
    return before + context.echo + this.after.render(context);
  }
}

// Constant text, then pieces with constant text after each of them.
class Segments {
  head = '';
  varies: Varies = 'never';
  ascii = true;
  private readonly pieces: ((context: TemplateContext) => string)[] = [];
  private readonly tails: string[] = [];

  get constant(): boolean {
    return this.pieces.length === 0;
  }

  addExpression(piece: Piece, { varies, ascii }: Expression): void {
    this.add(piece);
    if (!ascii) this.ascii = false;
    if (varies === 'call' || this.varies === 'never') this.varies = varies;
  }

  add(piece: Piece): void {
    if (typeof piece === 'function') {
      this.pieces.push(piece);
      this.tails.push('');
      return;
    }
    if (!isAscii(piece)) this.ascii = false;
    if (this.pieces.length === 0) {
      this.head += piece;
    } else {
      this.tails[this.tails.length - 1] += piece;
    }
  }

  render(context: TemplateContext): string {
    let out = this.head;
    for (let i = 0; i < this.pieces.length; i++) out += this.pieces[i]!(context) + this.tails[i]!;
    return out;
  }
}

type Path = readonly (string | number)[];

function append(into: Segments, value: JsonValue, data: DataSets, path: Path): void {
  if (typeof value === 'string') return appendText(into, value, data, path);
  if (typeof value !== 'object' || value === null) return into.add(JSON.stringify(value));
  const list = Array.isArray(value);
  into.add(list ? '[' : '{');
  for (const [index, [key, member]] of Object.entries(value as Record<string, JsonValue>).entries()) {
    if (index > 0) into.add(',');
    if (!list) into.add(`${JSON.stringify(key)}:`);
    append(into, member, data, [...path, list ? index : key]);
  }
  into.add(list ? ']' : '}');
}

function appendText(into: Segments, text: string, data: DataSets, path: Path): void {
  const parts = splitText(text, path);
  const only = parts.length === 1 && 'source' in parts[0]! ? compile(parts[0].source, data, path) : null;
  if (only?.alone) return into.addExpression(only.alone, only);
  into.add('"');
  for (const part of parts) {
    if ('literal' in part) {
      into.add(escapeText(part.literal));
    } else {
      const expression = compile(part.source, data, path);
      into.addExpression(expression.inText, expression);
    }
  }
  into.add('"');
}

type Part = { readonly literal: string } | { readonly source: string };

function splitText(text: string, path: Path): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{{', at);
    if (open !== at) parts.push({ literal: open < 0 ? text.slice(at) : text.slice(at, open) });
    if (open < 0) break;
    if (text.startsWith('{{{{', open)) {
      parts.push({ literal: '{{' });
      at = open + 4;
      continue;
    }
    const close = text.indexOf('}}', open);
    if (close < 0) {
      throw new TemplateFailure(
        'a template is not closed: expected }} after {{ (for the text {{ itself write {{{{)',
        path,
        text.slice(open),
      );
    }
    parts.push({ source: text.slice(open + 2, close) });
    at = close + 2;
  }
  return parts;
}

function compile(source: string, data: DataSets, path: Path): Expression {
  try {
    return compileExpression(source, data);
  } catch (error) {
    throw new TemplateFailure((error as Error).message, path, `{{${source}}}`);
  }
}
