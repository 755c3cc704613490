// What expressions can use: the variables that the service, or an evaluation on its records, gives them.

let made = 0;

/** The error code of an expression that reads an unknown value. */
export const valueUnknown = 'value_unknown';

/** A value that expressions can use. Each value gets one instance, so that threads can reuse what they parsed. */
export class ScopeValue {
  /** JSON; empty for an unknown value, so that an expression that reads it fails. */
  readonly text: string;
  /** Unique in this process. */
  readonly id: number;

  constructor(text: string) {
    this.text = text;
    this.id = made;
    made += 1;
  }
}

/** The variables of an expression: `input`, `nodes`, and inside a for-each `item` and `index`. */
export interface ExpressionScope {
  readonly input: ScopeValue;
  /** The outputs by node id. */
  readonly nodes: ReadonlyMap<string, ScopeValue>;
  /** The innermost loop's current item and its index; null outside loops. */
  readonly loop: { readonly item: ScopeValue; readonly index: number } | null;
}

/** Evaluates as the local service does, with its limits. Rejects with an error whose message is for people, or with the signal's reason. */
export interface ExpressionEvaluator {
  /** Resolves with JSON of at most 1 MiB. */
  evaluate(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<string>;
  /** The items that a loop over the expression goes through, as JSON. */
  list(expression: string, scope: ExpressionScope, signal: AbortSignal): Promise<readonly string[]>;
}
