import type { OfferedArgument } from './commandTypes.ts';
import type { CommandName } from './ids.ts';

/** What a button runs: a command that asks for what it needs, or one whose argument is given. */
type CommandAction =
  | { readonly label: string; readonly command: CommandName; readonly argument?: undefined }
  | {
      [N in CommandName]: {
        readonly label: string;
        readonly command: N;
        readonly argument: OfferedArgument<N>;
      };
    }[CommandName];

/** A button beside an error: it runs a command, as if a person had chosen it, or shows a setting. */
export type ErrorAction = CommandAction | { readonly label: string; readonly setting: string };

/** What a person reads of an error. */
export interface ErrorDescription {
  readonly message: string;
  readonly actions: readonly ErrorAction[];
}

/** A failure whose message is in the user's language already. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
  readonly actions: readonly ErrorAction[];

  constructor(message: string, actions: readonly ErrorAction[] = [], options?: ErrorOptions) {
    super(message, options);
    this.actions = actions;
  }
}
