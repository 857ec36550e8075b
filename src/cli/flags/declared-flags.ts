import type { Argv, Options } from 'yargs';

/** The flags of one command, as its builder declares them to yargs. */
export class DeclaredFlags {
  readonly options = new Map<string, Options>();

  constructor(builder: (yargs: Argv<object>) => unknown) {
    builder(this as unknown as Argv<object>);
  }

  option(name: string, options: Options): this {
    this.options.set(name, options);
    return this;
  }

  // What follows is for the help alone: the usage names the positionals, and all of them are texts.
  positional(): this {
    return this;
  }

  example(): this {
    return this;
  }

  group(): this {
    return this;
  }

  epilog(): this {
    return this;
  }

  epilogue(): this {
    return this;
  }
}
