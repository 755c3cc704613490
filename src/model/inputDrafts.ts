// Why: the text of each input document, kept between sessions within bounds, and what it parses to.
import type { WorkflowReading } from '../api/readings.ts';
import type { JsonObject } from '../base/json.ts';
import type { StatePort } from './ports.ts';
import type { WorkflowTarget } from './targets.ts';

/** "notJson" carries the parser's own message. */
export type ParsedInput =
  | { readonly kind: 'input'; readonly input: JsonObject }
  | { readonly kind: 'notJson'; readonly message: string }
  | { readonly kind: 'notObject' };

/** Parses an input document: exactly one JSON object. Pure. */
export declare function parseInput(text: string): ParsedInput;

/** The trigger node's JSON Schema of the input, where the definition has one. Pure. */
export declare function inputSchemaOf(workflow: WorkflowReading): JsonObject | undefined;

/** The text a new input document starts with: the schema's example, else its defaults, else an empty object. Pure. */
export declare function defaultInputText(workflow: WorkflowReading | undefined): string;

/** Texts per connection and workflow; the 50 last used, each up to 64 KiB; what is larger lives as long as the window. */
export interface InputDrafts {
  /** The user's text, else the last input used, else undefined: the caller then takes defaultInputText. */
  read(target: WorkflowTarget): string | undefined;
  save(target: WorkflowTarget, text: string): Promise<void>;
  /** Remembers what was executed. */
  recordInput(target: WorkflowTarget, input: JsonObject): Promise<void>;
  /** Forgets one, for a deleted workflow or to start over. */
  forget(target: WorkflowTarget): Promise<void>;
}

export declare function createInputDrafts(state: StatePort): InputDrafts;
