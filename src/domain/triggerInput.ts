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
