import type { ErrorAction, ErrorDescription } from './commands/errorDescription.ts';

/** A failure whose message is already in the user's language. */
export class PlainError extends Error {
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
