// What expressions see, as JSON text: the service's own thread hands it on and never looks inside.

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
