// What the service's own thread and its workers say to each other.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Faults } from '../definition/faults.ts';
import type { WorkflowDefinition } from '../store/workflows.ts';

let made = 0;

/** A value that expressions see; made once for each value, so that workers keep what they have parsed. */
export class ScopeValue {
  /** JSON. */
  readonly text: string;
  /** No two values of a process have the same one. */
  readonly id: number;

  constructor(text: string) {
    this.text = text;
    this.id = made;
    made += 1;
  }
}

/** What expressions see: `input`, `nodes`, and inside a for-each `item` and `index`. */
export interface SandboxScope {
  readonly input: ScopeValue;
  /** The outputs so far, by node id. */
  readonly nodes: ReadonlyMap<string, ScopeValue>;
  /** The turn of the innermost loop. */
  readonly turn: { readonly item: ScopeValue; readonly index: number } | null;
}

/** The values of a scope, each once. */
export function scopeValues({ input, nodes, turn }: SandboxScope): ReadonlySet<ScopeValue> {
  return new Set([input, ...nodes.values(), ...(turn === null ? [] : [turn.item])]);
}

/** A scope by the ids of its values. */
export interface ScopeIds {
  readonly input: number;
  readonly nodes: readonly (readonly [nodeId: string, valueId: number])[];
  readonly turn: { readonly item: number; readonly index: number } | null;
}

export interface Evaluated {
  /** JSON, at most 1 MiB and 200 deep. */
  readonly text: string;
  /** What the value is, short enough for a line of a log. */
  readonly description: string;
}

export interface InputCheck extends Faults {
  /** The names of the input's members, short enough for a line of a log. */
  readonly names: string;
}

/** Each kind of work: what it needs, what it gives. */
interface Works {
  readonly evaluate: { task: { readonly expression: string; readonly scope: ScopeIds }; result: Evaluated };
  readonly list: {
    task: { readonly expression: string; readonly scope: ScopeIds };
    result: readonly string[];
  };
  /** Gives JSON. */
  readonly render: { task: { readonly value: JsonValue; readonly scope: ScopeIds }; result: string };
  /** Gives text. */
  readonly renderText: { task: { readonly text: string; readonly scope: ScopeIds }; result: string };
  readonly checkInput: {
    task: { readonly schema: JsonObject | null; readonly input: number };
    result: InputCheck;
  };
  readonly checkDefinition: { task: { readonly definition: WorkflowDefinition }; result: Faults };
}

export type Kind = keyof Works;
export type Task<K extends Kind = Kind> = { [T in K]: { readonly kind: T } & Works[T]['task'] }[K];
export type Result<K extends Kind = Kind> = Works[K]['result'];

export interface Order<K extends Kind = Kind> {
  /** Values that the worker does not hold yet, as JSON text. */
  readonly load: readonly (readonly [valueId: number, text: string])[];
  /** Values that it need not hold any longer. */
  readonly drop: readonly number[];
  readonly task: Task<K>;
}

/** A worker says first that it is ready, then answers each order. */
export type Answer<K extends Kind = Kind> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: Result<K> }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

export function toScopeIds({ input, nodes, turn }: SandboxScope): ScopeIds {
  return {
    input: input.id,
    nodes: [...nodes].map(([nodeId, value]) => [nodeId, value.id]),
    turn: turn === null ? null : { item: turn.item.id, index: turn.index },
  };
}
