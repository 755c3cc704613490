// Saves that were refused because of what others did: the user decides what becomes of the text. Nothing is written until then.
import * as vscode from 'vscode';
import type { JsonObject } from '../../../base/json.ts';
import { closeTabs, comparisonsOf, replaceText } from '../../../editor/documents/documents.ts';
import { plainLine } from '../../../base/format.ts';
import { PlainError } from '../../../editor/plainError.ts';
import type { DefinitionSnapshot } from '../../../model/workflows/definitionStore.ts';
import { parseDefinition } from '../../../model/workflows/workflowDefinition.ts';
import { requireAddress, serviceTarget, theirsUri } from '../../../ui/addresses.ts';
import type { App } from '../../../ui/app.ts';
import { askConflict } from '../../../ui/askConflict.ts';
import type { OpenDefinitions } from './openDefinitions.ts';

/** A save that was rejected because the workflow has changes that the user hasn't seen. */
interface Conflict {
  readonly document: vscode.TextDocument;
  /** The definition that the document is based on; undefined if it isn't known. */
  readonly base: JsonObject | undefined;
  readonly mine: JsonObject;
  readonly theirs: DefinitionSnapshot;
}

/** A save that was rejected because the workflow was deleted. */
interface Deletion {
  readonly document: vscode.TextDocument;
  /** The workflow's name in the document; not sanitized. */
  readonly name: string;
}

/** Creates a workflow from a definition. text: the definition as written. Returns the URI of its document. */
type Recreate = (connectionId: string, definition: JsonObject, text: string) => Promise<vscode.Uri>;

/** Asks one question per document at a time. Without an answer the document stays unchanged, and the next save asks again. */
export class RefusedSaves {
  readonly #open: OpenDefinitions;
  readonly #commands: App['commands'];
  readonly #recreate: Recreate;
  readonly #asking = new Set<vscode.TextDocument>();

  constructor(open: OpenDefinitions, commands: App['commands'], recreate: Recreate) {
    this.#open = open;
    this.#commands = commands;
    this.#recreate = recreate;
  }

  /** Shows both sides. Returns the definition to save; undefined for none. */
  resolveConflict(conflict: Conflict): Promise<JsonObject | undefined> {
    const { document, theirs } = conflict;
    return this.#ask(document, async () => {
      this.#open.receive(theirsUri(document.uri), theirs, document.getText());
      await showSides(conflict);
      const text = document.getText();
      const choice = await askConflict({ ...conflict, theirs: theirs.definition }, [
        vscode.l10n.t('"{0}" was also changed on the service.', nameOf(conflict)),
        vscode.l10n.t("Left: the service's version. Right: yours. Nothing is saved yet."),
      ]);
      if (choice === undefined) return undefined;
      if (choice.definition !== conflict.mine) {
        if (document.getText() !== text)
          throw new PlainError(
            vscode.l10n.t('You edited the text in the meantime. Nothing was saved; save again to decide.'),
          );
        this.#open.expectOtherText(document);
      }
      return choice.definition;
    });
  }

  /** Offers to create a new workflow from the text. */
  resolveDeletion(deletion: Deletion): void {
    const { document } = deletion;
    this.#ask(document, async () => {
      if (!(await isWanted(deletion)) || document.isClosed) return;
      const text = document.getText();
      const definition = parseDefinition(text, undefined);
      if (definition === undefined)
        throw new PlainError(
          vscode.l10n.t("Your text isn't valid JSON, so no workflow can be created from it."),
        );
      const { connectionId } = requireAddress(document.uri, serviceTarget);
      await moveText(document, await this.#recreate(connectionId, definition, text));
    }).catch((error: unknown) => this.#commands.present(error));
  }

  /** Returns undefined while another question about the document is open. */
  async #ask<T>(document: vscode.TextDocument, question: () => Promise<T>): Promise<T | undefined> {
    if (this.#asking.has(document)) return undefined;
    this.#asking.add(document);
    try {
      return await question();
    } finally {
      this.#asking.delete(document);
    }
  }
}

function nameOf({ theirs }: Conflict): string {
  return plainLine(theirs.workflow.name, 80);
}

async function showSides(conflict: Conflict): Promise<void> {
  const { uri } = conflict.document;
  const title = vscode.l10n.t('{0}: theirs ↔ mine', nameOf(conflict));
  await vscode.commands.executeCommand('vscode.diff', theirsUri(uri), uri, title, { preview: false });
}

/** Closes the comparison of a conflict when its document was saved. */
export async function closeSides({ uri }: vscode.TextDocument): Promise<void> {
  const tabs = serviceTarget(uri) === undefined ? [] : comparisonsOf(theirsUri(uri), uri);
  if (tabs.length === 0) return;
  await vscode.window.showTextDocument(uri, { preview: false });
  await vscode.window.tabGroups.close(tabs);
}

async function isWanted({ name }: Deletion): Promise<boolean> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('$(add) Create Again'),
        detail: vscode.l10n.t('Creates a new workflow from your text and opens it instead of this one.'),
      },
    ],
    {
      title: vscode.l10n.t('"{0}" was deleted on the service', plainLine(name, 80)),
      placeHolder: vscode.l10n.t('Nothing was saved. Your text stays open.'),
      ignoreFocusOut: true,
    },
  );
  return picked !== undefined;
}

/**
 * Moves the text into the new document and closes the old one. The new document is unsaved if the service keeps something else
 * than the text says.
 */
async function moveText(document: vscode.TextDocument, uri: vscode.Uri): Promise<void> {
  const text = document.getText();
  const { document: created } = await vscode.window.showTextDocument(uri, { preview: false });
  if (created.getText() !== text && !(await replaceText(created, text))) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  await closeTabs(document.uri);
  await vscode.window.showTextDocument(created);
}
