import type { TextSpan } from '../../definition/jsonString.ts';

/** What completion offers: what replaces the text of the span, and how it's listed. */
export interface Offer {
  readonly kind: 'node' | 'branch' | 'name' | 'variable' | 'function' | 'operator' | 'snippet';
  readonly label: string;
  /** Stands beside the label. */
  readonly description: string;
  /** Stands above the documentation. */
  readonly detail: string;
  /** Plain text. */
  readonly documentation: string;
  /** What is written before and after the cursor, as JSON text. */
  readonly before: string;
  readonly after: string;
  /** What is compared with the text that's replaced. */
  readonly filter: string;
  readonly span: TextSpan;
  /** A lower rank is offered first; those of the same rank in their order. */
  readonly rank: number;
}
