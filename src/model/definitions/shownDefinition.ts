// What a definition's file shows is plain data, so that what unsaved edits are based on outlives a restart of the editor.
import * as v from 'valibot';
import { equalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { StatePort } from '../ports.ts';
import type { DefinitionSnapshot } from './definitionStore.ts';
import { parseDefinition, renderDefinition } from './definitionText.ts';

/** A state of the file: its text, and the definition it stands for. */
export interface ShownDefinition {
  readonly definition: JsonObject;
  readonly text: string;
  /** Epoch milliseconds. Changes only with the text, and is the same in every window. */
  readonly mtime: number;
  readonly name: string;
  /** Epoch milliseconds of the last change; null where the service doesn't tell. */
  readonly updatedAt: number | null;
}

/** Returns the next state of a file. Without a text it keeps the earlier one for as long as that says the same. */
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

/** Returns a state whose text says what the service holds: the same one when it does already. */
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

/** What documents with unsaved edits are based on, by the document's address. Kept in the workspace's state, as the editor keeps the unsaved texts. */
export class RememberedBases {
  readonly #state: StatePort;

  constructor(state: StatePort) {
    this.#state = state;
  }

  read(address: string): ShownDefinition | undefined {
    const stored = v.safeParse(ShownSchema, this.#state.get(keyPrefix + address));
    return stored.success ? stored.output : undefined;
  }

  /** undefined forgets the base. */
  set(address: string, base: ShownDefinition | undefined): Promise<void> {
    return this.#state.set(keyPrefix + address, base && { ...base });
  }
}
