// What a definition's file shows is plain data, so that the state which unsaved edits rest on outlives a restart of the editor.
import * as v from 'valibot';
import { equalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { StatePort } from '../ports.ts';
import type { DefinitionSnapshot } from './definitionStore.ts';
import { parseDefinition, renderDefinition } from './definitionText.ts';

/** A state of the file: its text, and the reading that it stands for. */
export interface ShownDefinition {
  readonly definition: JsonObject;
  readonly text: string;
  /** Epoch milliseconds; moves only with the text, and is the same in every window. */
  readonly mtime: number;
  readonly name: string;
  /** Epoch milliseconds of the service's last change; null where it does not tell. */
  readonly updatedAt: number | null;
}

/** The next state of a file. Without a text it keeps the earlier one as long as that says the same. */
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

/** The state whose text says what the service holds; the same one when it does already. */
export function showAsKept(shown: ShownDefinition): ShownDefinition {
  const { definition, text, mtime } = shown;
  if (equalJson(parseDefinition(text, definition), definition)) return shown;
  return { ...shown, text: renderDefinition(definition), mtime: mtime + 1 };
}

/** True when a row of the view says that the workflow is not what was read. */
export function looksChanged(
  shown: ShownDefinition,
  row: { readonly name: string; readonly updatedAt: Date | null },
): boolean {
  return row.name !== shown.name || (row.updatedAt !== null && row.updatedAt.getTime() !== shown.updatedAt);
}

/** What documents with unsaved edits rest on, by the document's address. */
export interface RememberedBases {
  read(address: string): ShownDefinition | undefined;
  /** undefined forgets. */
  set(address: string, base: ShownDefinition | undefined): Promise<void>;
}

const Stored = v.object({
  definition: v.custom<JsonObject>(isJsonObject),
  text: v.string(),
  mtime: v.number(),
  name: v.string(),
  updatedAt: v.nullable(v.number()),
});

const keyPrefix = 'definitionBase:';

/** Keeps them in the state of the workspace, as the editor does the unsaved texts. */
export function createRememberedBases(state: StatePort): RememberedBases {
  return Object.freeze<RememberedBases>({
    read: (address) => {
      const stored = v.safeParse(Stored, state.get(keyPrefix + address));
      return stored.success ? stored.output : undefined;
    },
    set: (address, base) => state.set(keyPrefix + address, base && { ...base }),
  });
}
