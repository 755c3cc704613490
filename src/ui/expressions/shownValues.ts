// The values and node states of an execution that what is offered in an expression is made of.
import type { JsonValue } from '../../base/json.ts';
import type { NodeView } from '../../model/runs/nodeView.ts';
import type { KnownSecrets } from '../../model/secrets.ts';

export interface ShownValues {
  readonly input: JsonValue | undefined;
  /** By node id. Of a loop's iterations the selected one. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  readonly nodes: ReadonlyMap<string, NodeView>;
  /** The selected iteration of each loop, from 0, by the id of the loop's node. */
  readonly iterations: ReadonlyMap<string, number>;
  /** True: a loop's item is any of them, instead of that of the selected iteration. */
  readonly isOfAllItems?: boolean;
  /** The secrets of the local service, where they're known. */
  readonly secrets?: KnownSecrets;
}

export const noValues: ShownValues = {
  input: undefined,
  outputs: new Map(),
  nodes: new Map(),
  iterations: new Map(),
};
