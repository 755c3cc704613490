// The messages between the service's own thread and its workers, and how both name what failed.
import * as v from 'valibot';
import { truncateText } from '../../base/format.ts';
import type { JsonValue } from '../../base/json.ts';
import type { TextCheck, CheckRules } from '../../definition/checkText.ts';
import type { ExpressionScope, ScopeValue } from '../../definition/expressionScope.ts';
import type { Faults } from '../../definition/faultList.ts';
import { NodeError } from '../errors.ts';

/** Returns the distinct values of a scope. */
export function scopeValues({ input, nodes, loop }: ExpressionScope): ReadonlySet<ScopeValue> {
  return new Set([input, ...nodes.values(), ...(loop === null ? [] : [loop.item])]);
}

/** A scope with the ids of its values. */
export interface ScopeIds {
  readonly input: number;
  readonly nodes: readonly (readonly [nodeId: string, valueId: number])[];
  readonly loop: { readonly item: number; readonly index: number } | null;
}

export function toScopeIds({ input, nodes, loop }: ExpressionScope): ScopeIds {
  return {
    input: input.id,
    nodes: [...nodes].map(([nodeId, value]) => [nodeId, value.id]),
    loop: loop === null ? null : { item: loop.item.id, index: loop.index },
  };
}

export interface Evaluated {
  /** JSON, at most 1 MiB and 200 deep. */
  readonly text: string;
  /** Describes the value, short enough for a log line. */
  readonly description: string;
}

export interface InputCheck extends Faults {
  /** The names of the input's members, short enough for a log line. */
  readonly names: string;
}

/** An expression of a template that gave null or nothing. */
export interface EmptyTemplate {
  /** The members that lead to its text, such as `headers` and a header's name. */
  readonly path: readonly string[];
  /** Whether its text is nothing else, so that the value is null. */
  readonly isValue: boolean;
  /** Short enough for a log line. */
  readonly expression: string;
}

/** A number that an expression read as the nearest one. Each text is short enough for a log line. */
export interface Rounding {
  /** As an expression names it, such as `nodes.call.body.id`. */
  readonly place: string;
  /** Its digits. */
  readonly given: string;
  /** The nearest number. */
  readonly used: string;
}

/** A value whose texts are filled. */
export interface Rendered<T = JsonValue> {
  readonly value: T;
  /** The same with `***` in place of the results of expressions that read secrets; null if none did. */
  readonly shown: T | null;
  /** For each member, the first 20 that are the whole text, and the first 20 others. */
  readonly empty: readonly EmptyTemplate[];
}

export interface RenderOptions {
  readonly secrets: SecretValues;
  /** The member that is an address, and the one that is JSON if it's a text: values are encoded there. null for none. */
  readonly address: string | null;
  readonly json: string | null;
}

/** By name. */
export type SecretValues = Readonly<Record<string, string>>;

/** The task and the result of each kind of work. */
interface Works {
  readonly evaluate: { task: { readonly expression: string; readonly scope: ScopeIds }; result: Evaluated };
  readonly list: {
    task: { readonly expression: string; readonly scope: ScopeIds };
    result: readonly string[];
  };
  /** The values of the task and of the result are JSON. */
  readonly render: {
    task: { readonly value: string; readonly scope: ScopeIds } & RenderOptions;
    result: Rendered<string>;
  };
  /** The result is the names of the secrets that the templates in the value, which is JSON, read. */
  readonly findSecrets: { task: { readonly value: string }; result: readonly string[] };
  /** The result is plain text. */
  readonly renderText: { task: { readonly text: string; readonly scope: ScopeIds }; result: string };
  /** The schema is JSON. */
  readonly checkInput: {
    task: { readonly schema: string; readonly input: number };
    result: InputCheck;
  };
  readonly checkText: { task: { readonly text: string; readonly rules: CheckRules }; result: TextCheck };
  /** The definition is JSON: its nodes, edges and settings. */
  readonly checkDefinition: { task: { readonly definition: string }; result: Faults };
}

export type WorkKind = keyof Works;
export type WorkTask<K extends WorkKind = WorkKind> = {
  [T in K]: { readonly kind: T } & Works[T]['task'];
}[K];
export type WorkResult<K extends WorkKind = WorkKind> = Works[K]['result'];

export interface WorkOrder<K extends WorkKind = WorkKind> {
  /** Values that the worker doesn't hold, as JSON text. */
  readonly load: readonly (readonly [valueId: number, text: string])[];
  /** Values that the worker should release. */
  readonly drop: readonly number[];
  readonly task: WorkTask<K>;
}

/** What a worker starts with: the messages for people in their language; undefined for English. */
export const WorkerWords = v.object({ words: v.optional(v.record(v.string(), v.string())) });
export type WorkerWords = v.InferOutput<typeof WorkerWords>;

/** A worker sends `ready` first, then one reply for each order. `rounded`: the first 20. */
export type WorkerReply<K extends WorkKind = WorkKind> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: WorkResult<K>; readonly rounded: readonly Rounding[] }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly rounded: readonly Rounding[];
    };

const shownCharacters = 80;

/** Returns the expression in a form for messages. */
export function nameExpression(expression: string): string {
  return `The expression "${shortExpression(expression)}"`;
}

export function shortExpression(expression: string): string {
  return truncateText(expression, shownCharacters);
}

export function inputNotChecked(reason: string): NodeError {
  return new NodeError('input_schema_failed', `The input could not be checked: ${reason}`);
}
