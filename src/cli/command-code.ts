import type { CommandModule } from 'yargs';

/** The code of one command, loaded only when it is the one asked for: its flags, and what it does. Its name and line of help stand in `commands.ts`. */
export type CommandCode<Flags> = Pick<CommandModule<object, Flags>, 'builder' | 'handler'>;
