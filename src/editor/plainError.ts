import type { CommandName } from './commands/names.ts';
import type { OfferedArgument } from './commands/types.ts';
import { WordedError } from '../domain/errors.ts';

/** The command of a button: it asks the user for its argument, or the argument is given. */
type CommandAction =
  | { readonly label: string; readonly command: CommandName; readonly argument?: undefined }
  | {
      [N in CommandName]: {
        readonly label: string;
        readonly command: N;
        readonly argument: OfferedArgument<N>;
      };
    }[CommandName];

/** A button on an error message. It runs a command as if the user had chosen it, or shows a setting. */
export type ErrorAction = CommandAction | { readonly label: string; readonly setting: string };

/** An error as the user sees it. */
export interface ErrorDescription {
  readonly message: string;
  readonly actions: readonly ErrorAction[];
  /** Default "error". A warning is about what can be done all the same. */
  readonly kind?: 'error' | 'warning';
}

/** A failure that is shown with buttons that help. */
export class PlainError extends WordedError {
  override readonly name = 'PlainError';
  readonly actions: readonly ErrorAction[];
  readonly kind: 'error' | 'warning';

  constructor(
    message: string,
    actions: readonly ErrorAction[] = [],
    { kind = 'error', ...options }: ErrorOptions & Pick<ErrorDescription, 'kind'> = {},
  ) {
    super(message, options);
    this.actions = actions;
    this.kind = kind;
  }
}
