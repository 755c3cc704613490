// What the service's own thread and its workers say to each other.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Faults } from '../definition/faults.ts';
import type { WorkflowDefinition } from '../store/store.ts';
import type { SandboxScope } from './scope.ts';

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
