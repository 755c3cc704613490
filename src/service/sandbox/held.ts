// The values that a worker holds between two evaluations, so that a loop does not hand over and parse the same again and again.
import { type JsonObject, type JsonValue, maximumJsonDepth, parseJson } from '../../base/json.ts';
import { NodeError } from '../engine/nodeError.ts';
import type { Order, ScopeIds } from './messages.ts';

export class HeldValues {
  readonly #values = new Map<number, () => JsonValue>();

  update({ load, drop }: Order): void {
    for (const id of drop) this.#values.delete(id);
    for (const [id, text] of load) this.#values.set(id, parseOnce(text));
  }

  get(id: number): JsonValue {
    const read = this.#values.get(id);
    if (!read) throw new TypeError('The worker was not given a value that it needs.');
    return read();
  }

  /** What expressions see; a node's output is parsed when an expression asks for it. */
  scope({ input, nodes, turn }: ScopeIds): JsonObject {
    return {
      input: this.get(input),
      nodes: Object.defineProperties({}, this.#outputs(nodes)),
      ...(turn !== null && { item: this.get(turn.item), index: turn.index }),
    };
  }

  /** A node can be called `__proto__`, so members are defined, not assigned. */
  #outputs(nodes: ScopeIds['nodes']): PropertyDescriptorMap {
    return Object.fromEntries(
      nodes.map(([nodeId, id]) => [nodeId, { enumerable: true, get: () => this.get(id) }]),
    );
  }
}

/** Keeps the text until it is asked for, then the value instead. */
function parseOnce(text: string): () => JsonValue {
  let kept: { readonly text: string } | { readonly value: JsonValue } = { text };
  return () => {
    if ('value' in kept) return kept.value;
    const value = parseJson(kept.text);
    if (value === undefined)
      throw new NodeError('too_deep', `A value is more than ${maximumJsonDepth} deep as JSON.`);
    kept = { value };
    return value;
  };
}
