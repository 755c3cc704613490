/** A node that an execution can begin at. */
export interface StartTrigger {
  /** What it's chosen by. */
  readonly name: string;
  readonly kind: 'webhook' | 'chat' | 'form' | 'schedule';
  /** Where or when it listens, in plain text; '' if that isn't known. */
  readonly detail: string;
}
