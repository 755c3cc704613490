// Saves that were refused because of what others did: the user decides what becomes of the text. Nothing is written until then.
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { closeTabs, comparisonsOf, replaceText } from '../../editor/documents.ts';
import { plainLine } from '../../editor/format.ts';
import { PlainError } from '../../editor/plainError.ts';
import type { DefinitionSnapshot } from '../../model/definitions/definitionStore.ts';
import { parseDefinition, renderDefinition } from '../../model/definitions/definitionText.ts';
import { mergeDefinitions } from '../../model/definitions/mergeDefinitions.ts';
import { requireTarget, theirsUri } from '../../ui/addresses.ts';
import type { App } from '../../ui/app.ts';
import type { OpenDefinitions } from './openDefinitions.ts';
import { showMessage } from '../../editor/prompts.ts';

/** A save that was rejected because the workflow has changes that the user hasn't seen. */
interface Conflict {
  readonly document: vscode.TextDocument;
  /** The definition that the document is based on; undefined if it isn't known. */
  readonly base: JsonObject | undefined;
  readonly theirs: DefinitionSnapshot;
}

/** A save that was rejected because the workflow was deleted. */
interface Deletion {
  readonly document: vscode.TextDocument;
  /** The workflow's name in the document; not sanitized. */
  readonly name: string;
}

type Choice = 'mine' | 'theirs' | 'merge';

/** Creates a workflow from a definition. text: the definition as written. Returns the URI of its document. */
type Recreate = (connectionId: string, definition: JsonObject, text: string) => Promise<vscode.Uri>;

/** Asks one question per document at a time. Escape leaves the document unchanged, and the next save asks again. */
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

  resolveConflict(conflict: Conflict): void {
    void this.#present(async () => {
      const { document } = conflict;
      const isReady = await this.#ask(document, () => this.#decide(conflict));
      // The save may find another conflict, which asks another question.
      if (isReady && (await document.save())) await closeSides(document);
    });
  }

  /** Offers to create a new workflow from the text. */
  resolveDeletion(deletion: Deletion): void {
    const { document } = deletion;
    void this.#present(() =>
      this.#ask(document, async () => {
        if (!(await isWanted(deletion)) || document.isClosed) return;
        const text = document.getText();
        const definition = parseDefinition(text, undefined);
        if (definition === undefined)
          throw new PlainError(
            vscode.l10n.t("Your text isn't valid JSON, so no workflow can be created from it."),
          );
        const { connectionId } = requireTarget(document.uri);
        await moveText(document, await this.#recreate(connectionId, definition, text));
      }),
    );
  }

  async #present(resolve: () => Promise<void>): Promise<void> {
    try {
      await resolve();
    } catch (error) {
      await this.#commands.present(error);
    }
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

  /** True if the document contains the decision and is to be saved. */
  async #decide(conflict: Conflict): Promise<boolean> {
    const { document, theirs } = conflict;
    this.#open.receive(theirsUri(document.uri), theirs);
    await showSides(conflict);
    const choice = await askChoice(conflict);
    if (choice === undefined || document.isClosed) return false;
    const applied = await apply(choice, conflict);
    if (applied !== 'nothing') this.#open.agree(document.uri, theirs.definition);
    return applied === 'all';
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

async function askChoice(conflict: Conflict): Promise<Choice | undefined> {
  const choices: (vscode.QuickPickItem & { readonly value: Choice })[] = [
    {
      value: 'mine',
      label: vscode.l10n.t('$(person) Keep Mine'),
      detail: vscode.l10n.t("Overwrite the service's version."),
    },
    {
      value: 'theirs',
      label: vscode.l10n.t('$(cloud) Take Theirs'),
      detail: vscode.l10n.t('Discard yours. Undo restores it.'),
    },
  ];
  if (conflict.base !== undefined)
    choices.push({
      value: 'merge',
      label: vscode.l10n.t('$(git-merge) Merge'),
      detail: vscode.l10n.t('Combine both node by node. You decide where both changed the same.'),
    });
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('"{0}" was also changed on the service', nameOf(conflict)),
    placeHolder: vscode.l10n.t("Left: the service's version. Right: yours. Nothing is saved yet."),
    ignoreFocusOut: true,
  });
  return picked?.value;
}

/** Puts the decision into the document. "part": the user has to resolve something before it can be saved. */
async function apply(
  choice: Choice,
  { document, base, theirs }: Conflict,
): Promise<'all' | 'part' | 'nothing'> {
  if (choice === 'mine') return 'all';
  if (choice === 'theirs')
    return (await replaceText(document, renderDefinition(theirs.definition))) ? 'all' : 'nothing';
  const mine = parseDefinition(document.getText(), base);
  if (mine === undefined || base === undefined)
    throw new PlainError(vscode.l10n.t("Your text isn't valid JSON, so it can't be merged."));
  const { definition, collisions } = mergeDefinitions(base, mine, theirs.definition);
  if (!(await replaceText(document, renderDefinition(definition)))) return 'nothing';
  if (collisions.length === 0) return 'all';
  void showMessage(
    'warning',
    vscode.l10n.t(
      'Both versions changed {0}; yours was kept. Compare them, then save.',
      collisions.map((place) => plainLine(place, 80)).join(', '),
    ),
  );
  return 'part';
}

async function closeSides({ uri }: vscode.TextDocument): Promise<void> {
  const tabs = comparisonsOf(theirsUri(uri), uri);
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
