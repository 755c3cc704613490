// The argument and the result of each command, from its declaration.
import type * as v from 'valibot';
import type { Returned } from './declaration.ts';
import type { declaredCommands } from './declared/all.ts';
import type { CommandName } from './names.ts';

type ArgumentSchema<N extends CommandName> = (typeof declaredCommands)[N]['argument'];

/** The decoded argument that a command runs with. */
export type CommandArgument<N extends CommandName> = v.InferOutput<ArgumentSchema<N>>;

/** The argument that a row, a lens or a button passes; the user is asked for missing members. */
export type OfferedArgument<N extends CommandName> = v.InferInput<ArgumentSchema<N>>;

type AskedMembers<Entries> = {
  [Member in keyof Entries]: Entries[Member] extends { readonly isAsked: true } ? Member : never;
}[keyof Entries];

/** The argument that code passes, with every member that a user would be asked for. */
export type CodeArgument<N extends CommandName> = OfferedArgument<N> &
  (ArgumentSchema<N> extends { readonly entries: infer Entries }
    ? {
        readonly [Member in AskedMembers<Entries>]: Entries[Member] extends v.GenericSchema
          ? NonNullable<v.InferInput<Entries[Member]>>
          : never;
      }
    : unknown);

/** The commands without an argument. */
export type PlainCommandName = {
  [N in CommandName]: keyof OfferedArgument<N> extends never ? N : never;
}[CommandName];

/** What a command returns to code. */
export type CommandResult<N extends CommandName> = (typeof declaredCommands)[N] extends {
  readonly result: Returned<infer Result>;
}
  ? Result
  : unknown;
