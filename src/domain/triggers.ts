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

/** What a workflow's trigger reveals about the inputs that it accepts, if its definition declares no schema for them. */
export type TriggerInput =
  | { readonly kind: 'chat' }
  /** fields: none where they aren't known. */
  | { readonly kind: 'form'; readonly fields: readonly FormField[] }
  | {
      readonly kind: 'webhook';
      /** The input is the body, or else the query. */
      readonly hasBody: boolean;
      /** The names of the segments of its path that a call fills in. */
      readonly parameters: readonly string[];
    };

export interface FormField {
  /** In the input. */
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'date' | 'choice' | 'choices' | 'other';
  /** None where they aren't known. */
  readonly options: readonly string[];
  readonly isRequired: boolean;
}
