import type { CommandName } from './ids.ts';

/** A button beside an error: it runs a command, for a connection where one is named, or shows a setting. */
export type ErrorAction =
  | { readonly label: string; readonly command: CommandName; readonly connectionId?: string }
  | { readonly label: string; readonly setting: string };

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
