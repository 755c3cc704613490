// A definition's file: its content, and what a document makes of it.
import { equalJson, type JsonObject } from '../../../base/json.ts';
import { nextMtime } from '../../../editor/documents/fileStamps.ts';
import type { DefinitionSnapshot } from '../../../model/workflows/definitionStore.ts';
import { parseDefinition, renderDefinition } from '../../../model/workflows/workflowDefinition.ts';
import { renderLike } from '../../../workflowFiles/renderLike.ts';

/** The content of the file: its text, and the definition that the text shows. Plain data, so that it can be stored. */
export interface FileContent {
  readonly definition: JsonObject;
  readonly text: string;
  /** Epoch milliseconds. Changes only with the text, and is the same in every window. */
  readonly mtime: number;
  readonly name: string;
  /** Epoch milliseconds of the last change; null if the service doesn't report it. */
  readonly updatedAt: number | null;
}

/**
 * Returns the next content of a file. Without a text, it has the format of `like`, which is the earlier text by default, and that text itself
 * where it says the same.
 */
export function showDefinition(
  earlier: FileContent | undefined,
  { workflow, definition }: DefinitionSnapshot,
  now: number,
  { text, like = earlier?.text }: { readonly text?: string; readonly like?: string | undefined } = {},
): FileContent {
  const shownText = text ?? showLike(like, definition);
  const updatedAt = workflow.updatedAt?.getTime() ?? null;
  const mtime = earlier?.text === shownText ? earlier.mtime : nextMtime(earlier?.mtime, updatedAt ?? now);
  return { definition, text: shownText, mtime, name: workflow.name, updatedAt };
}

/** Returns the text where it says the same, and else the definition in the text's format; in the usual format without a text. */
export function showLike(text: string | undefined, definition: JsonObject): string {
  if (text === undefined) return renderDefinition(definition);
  return equalJson(parseDefinition(text, definition), definition) ? text : renderLike(text, definition);
}

/** Returns content whose text shows the service's definition. It's the same content if its text already does. */
export function showAsKept(shown: FileContent): FileContent {
  const { definition, text, mtime } = shown;
  if (equalJson(parseDefinition(text, definition), definition)) return shown;
  return { ...shown, text: renderLike(text, definition), mtime: mtime + 1 };
}

/** True when a row of the view shows that the workflow has changed since it was read. */
export function looksChanged(
  shown: FileContent,
  row: { readonly name: string; readonly updatedAt: Date | null },
): boolean {
  return row.name !== shown.name || (row.updatedAt !== null && row.updatedAt.getTime() !== shown.updatedAt);
}

/** The state of a file. `shown`: what a reader gets. */
export type FileState =
  /** Read from the service. The next reader needs no request. */
  | { readonly kind: 'fresh'; readonly shown: FileContent }
  /** Given to a reader. No document is known to show it. */
  | { readonly kind: 'given'; readonly shown: FileContent }
  /** A document shows it. */
  | { readonly kind: 'clean'; readonly shown: FileContent }
  /** A document shows the base until the editor has read the file again. */
  | { readonly kind: 'outdated'; readonly shown: FileContent; readonly base: FileContent }
  /** A document has unsaved edits, which started from it. */
  | { readonly kind: 'edited'; readonly shown: FileContent };

/** A reader gets the content. */
export function give(state: FileState): FileState {
  return state.kind === 'fresh' ? { kind: 'given', shown: state.shown } : state;
}

/** The content was read from the service while no document had unsaved edits. */
export function receiveContent(state: FileState, shown: FileContent): FileState {
  return state.kind === 'given' ? { kind: 'fresh', shown } : replace(state, shown);
}

/** The file has another content, which the editor reads if the text differs. */
export function replace(state: FileState, shown: FileContent): FileState {
  switch (state.kind) {
    case 'fresh':
    case 'given':
      return { kind: state.kind, shown };
    case 'clean':
    case 'edited':
      return shown.text === state.shown.text
        ? { kind: 'clean', shown }
        : { kind: 'outdated', shown, base: state.shown };
    case 'outdated':
      return { kind: 'outdated', shown, base: state.base };
  }
}

/** A document was opened or changed. Its edits started from what it showed, so later content is ignored. */
export function observe(
  state: FileState,
  document: { readonly isDirty: boolean; readonly getText: () => string },
): FileState {
  const base = baseOf(state);
  if (document.isDirty) return base === undefined ? state : { kind: 'edited', shown: base };
  const { kind, shown } = state;
  return kind === 'edited' || document.getText() === shown.text ? { kind: 'clean', shown } : state;
}

/** The content was written, by a document or by other code. */
export function save(state: FileState, shown: FileContent, isOpen: boolean): FileState {
  if (isOpen) return { kind: 'clean', shown };
  return { kind: state.kind === 'given' ? 'given' : 'fresh', shown };
}

/** Returns the content that a document shows or that its unsaved edits started from; undefined if that isn't known. */
export function baseOf(state: FileState): FileContent | undefined {
  switch (state.kind) {
    case 'fresh':
    case 'given':
      return undefined;
    case 'clean':
    case 'edited':
      return state.shown;
    case 'outdated':
      return state.base;
  }
}
