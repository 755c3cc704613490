// What a node can see, and what its expressions make of it.
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { ScopeValue } from '../sandbox/sandbox.ts';
import type { SandboxScope } from '../sandbox/sandbox.ts';

export interface Scope {
  readonly input: JsonObject;
  /** The outputs so far, by node id. */
  readonly nodes: ReadonlyMap<string, JsonValue>;
  /** The turn of each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
  /** The turn of the innermost loop. */
  readonly turn: { readonly item: JsonValue; readonly index: number } | null;
}

export function toSandboxScope({ input, nodes, turn }: Scope): SandboxScope {
  return {
    input: toScopeValue(input),
    nodes: new Map([...nodes].map(([id, value]) => [id, toScopeValue(value)])),
    turn: turn === null ? null : { item: toScopeValue(turn.item), index: turn.index },
  };
}

const made = new WeakMap<object, ScopeValue>();

/** The same for the same object, so that workers keep what they have parsed. */
function toScopeValue(value: JsonValue): ScopeValue {
  if (typeof value !== 'object' || value === null) return new ScopeValue(JSON.stringify(value));
  const known = made.get(value) ?? new ScopeValue(JSON.stringify(value));
  made.set(value, known);
  return known;
}
