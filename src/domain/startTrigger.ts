/** A node that an execution can start at. */
export interface StartTrigger {
  /** The name that it's chosen by. */
  readonly name: string;
  /** Executions of the deployed definition start neither at "manual" nor at "other", which nobody can call. */
  readonly kind: 'webhook' | 'chat' | 'form' | 'schedule' | 'manual' | 'other';
  /** Where or when it listens, in plain text; '' if that isn't known. */
  readonly detail: string;
}

/** A trigger that listens at a new address. */
export interface MovedTrigger {
  readonly name: string;
  /** Below the address of the service. */
  readonly address: string;
}
