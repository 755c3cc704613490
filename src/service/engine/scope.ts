// Why: what a node can see, and what its expressions make of it.
import type { JsonObject, JsonValue } from '../../base/json.ts';

export interface Scope {
  readonly input: JsonObject;
  /** The outputs so far, by node id. */
  readonly nodes: JsonObject;
  /** The turn of each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
  /** The turn of the innermost loop. */
  readonly turn: { readonly item: JsonValue; readonly index: number } | null;
}

/** What expressions see: `input`, `nodes`, and inside a for-each `item` and `index`. */
export function expressionData(scope: Scope): JsonObject {
  return { input: scope.input, nodes: scope.nodes, ...scope.turn };
}
