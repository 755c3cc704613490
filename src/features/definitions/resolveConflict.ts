// Resolves save conflicts: the user compares both sides and decides. Nothing is written until then.
import * as vscode from 'vscode';
import { mergeDefinitions } from '../../model/definitions/mergeDefinitions.ts';
import { parseDefinition, renderDefinition } from '../../model/definitions/definitionText.ts';
import { plainLine } from '../../editor/format.ts';
import type { Conflict } from './definitionFiles.ts';
import type { OpenDefinitions } from './openDefinitions.ts';
import { comparisonsOf, replaceText } from '../../editor/documents.ts';
import { Questions } from './questions.ts';
import { showMessage } from '../../editor/prompts.ts';
import { PlainError } from '../../editor/plainError.ts';
import { theirsUri } from '../../ui/addresses.ts';

type Choice = 'mine' | 'theirs' | 'merge';

/** Asks the user about conflicts, one question per document at a time. Escape leaves the document unchanged, and the next save asks again. */
export function createConflictResolver(
  open: OpenDefinitions,
  present: (error: unknown) => Promise<void>,
): (conflict: Conflict) => void {
  const questions = new Questions();
  const resolve = async (conflict: Conflict): Promise<void> => {
    const { document } = conflict;
    const isReady = await questions.ask(document, () => decide(open, conflict));
    // The save may find another conflict, which asks another question.
    if (isReady && (await document.save())) await closeSides(document);
  };
  return (conflict) => {
    resolve(conflict).catch(present);
  };
}

/** True if the document contains the decision and is to be saved. */
async function decide(open: OpenDefinitions, conflict: Conflict): Promise<boolean> {
  const { document, theirs } = conflict;
  open.receive(theirsUri(document.uri), theirs);
  await showSides(conflict);
  const choice = await askChoice(conflict);
  if (choice === undefined || document.isClosed) return false;
  const applied = await apply(choice, conflict);
  if (applied !== 'nothing') open.agree(document.uri, theirs.definition);
  return applied === 'all';
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
      detail: vscode.l10n.t('Writes your text; what the others changed goes.'),
    },
    {
      value: 'theirs',
      label: vscode.l10n.t('$(cloud) Take Theirs'),
      detail: vscode.l10n.t('Shows what the service holds; Undo brings your text back.'),
    },
  ];
  if (conflict.base !== undefined)
    choices.push({
      value: 'merge',
      label: vscode.l10n.t('$(git-merge) Merge'),
      detail: vscode.l10n.t('Puts both together, node by node. Where both changed the same, you decide.'),
    });
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('"{0}" was changed on the service as well', nameOf(conflict)),
    placeHolder: vscode.l10n.t('Left: what the service holds. Right: your text. Nothing is written yet.'),
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
    throw new PlainError(vscode.l10n.t('Your text is not valid JSON any more, so it cannot be merged.'));
  const { definition, collisions } = mergeDefinitions(base, mine, theirs.definition);
  if (!(await replaceText(document, renderDefinition(definition)))) return 'nothing';
  if (collisions.length === 0) return 'all';
  void showMessage(
    'warning',
    vscode.l10n.t(
      'Both sides changed: {0}. There your text stands. Compare the two sides, then save.',
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
