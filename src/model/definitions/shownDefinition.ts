// The state of a definition's file. It's plain data, so that the base of unsaved edits survives a restart of the editor.
import * as v from 'valibot';
import { equalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { StatePort } from '../ports.ts';
import type { DefinitionSnapshot } from './definitionStore.ts';
import { parseDefinition, renderDefinition } from './definitionText.ts';

/** A state of the file: its text, and the definition that the text shows. */
export interface ShownDefinition {
  readonly definition: JsonObject;
  readonly text: string;
  /** Epoch milliseconds. Changes only with the text, and is the same in every window. */
  readonly mtime: number;
  readonly name: string;
  /** Epoch milliseconds of the last change; null if the service doesn't report it. */
  readonly updatedAt: number | null;
}

/** Returns the next state of a file. Without a text, it keeps the earlier text as long as the definition is the same. */
export function showDefinition(
  earlier: ShownDefinition | undefined,
  { workflow, definition }: DefinitionSnapshot,
  now: number,
  text?: string,
): ShownDefinition {
  const isSame = earlier !== undefined && equalJson(earlier.definition, definition);
  const shownText = text ?? (isSame ? earlier.text : renderDefinition(definition));
  const updatedAt = workflow.updatedAt?.getTime() ?? null;
  const mtime =
    earlier?.text === shownText ? earlier.mtime : Math.max(updatedAt ?? now, (earlier?.mtime ?? 0) + 1);
  return { definition, text: shownText, mtime, name: workflow.name, updatedAt };
}

/** Returns a state whose text shows the service's definition. It's the same state if its text already does. */
export function showAsKept(shown: ShownDefinition): ShownDefinition {
  const { definition, text, mtime } = shown;
  if (equalJson(parseDefinition(text, definition), definition)) return shown;
  return { ...shown, text: renderDefinition(definition), mtime: mtime + 1 };
}

/** True when a row of the view shows that the workflow has changed since it was read. */
export function looksChanged(
  shown: ShownDefinition,
  row: { readonly name: string; readonly updatedAt: Date | null },
): boolean {
  return row.name !== shown.name || (row.updatedAt !== null && row.updatedAt.getTime() !== shown.updatedAt);
}

const ShownSchema = v.object({
  definition: v.custom<JsonObject>(isJsonObject),
  text: v.string(),
  mtime: v.number(),
  name: v.string(),
  updatedAt: v.nullable(v.number()),
});

const keyPrefix = 'definitionBase:';

/** Stores the base of each document with unsaved edits, by the document's URI, in the workspace's state, like the editor's unsaved texts. */
export class RememberedBases {
  readonly #state: StatePort;

  constructor(state: StatePort) {
    this.#state = state;
  }

  read(address: string): ShownDefinition | undefined {
    const stored = v.safeParse(ShownSchema, this.#state.get(keyPrefix + address));
    return stored.success ? stored.output : undefined;
  }

  /** undefined deletes the base. */
  set(address: string, base: ShownDefinition | undefined): Promise<void> {
    return this.#state.set(keyPrefix + address, base && { ...base });
  }
}
