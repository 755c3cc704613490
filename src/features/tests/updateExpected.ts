// Lets tests that have failed expect what came, after a person has seen the difference.
import * as vscode from 'vscode';
import { joined, plainLine } from '../../base/format.ts';
import { rangeOf } from '../../editor/documents/documents.ts';
import { hideKeys } from '../../editor/hideKeys.ts';
import { PlainError } from '../../editor/plainError.ts';
import { confirm } from '../../editor/prompts/dialogs.ts';
import { formats } from '../../words/formats.ts';
import { editBetween, updateExpected } from '../../workflowTests/editTests.ts';
import type { TestName } from '../../ui/testNames.ts';
import { notSaved } from './createTest.ts';
import type { ShownTest, TestItems } from './testItems.ts';
import type { LastResult, TestRuns } from './testRuns.ts';

/** How many tests the question names. */
const maximumNamed = 10;

interface FailedTest {
  readonly test: ShownTest;
  readonly last: LastResult;
}

/** What one file becomes. */
interface FileUpdate {
  readonly uri: vscode.Uri;
  readonly before: string;
  readonly after: string;
  readonly tests: readonly FailedTest[];
}

/** Returns how many tests were changed. `asks`: a person is shown the differences first. Rejects with a PlainError, or with Cancelled. */
export async function updateTests(
  items: TestItems,
  runs: TestRuns,
  { uri, ...name }: Partial<Record<keyof TestName, string | undefined>>,
  asks: boolean,
): Promise<number> {
  const item = uri === undefined ? undefined : items.find({ uri, ...name });
  if (uri !== undefined && item === undefined) throw new PlainError(vscode.l10n.t("There's no such test."));
  const failed = items
    .list({ include: item === undefined ? undefined : [item], exclude: undefined })
    .flatMap((test): readonly FailedTest[] => {
      const last = runs.last(test.item.id);
      return last?.result.outcome === 'failed' ? [{ test, last }] : [];
    });
  if (failed.length === 0)
    throw new PlainError(vscode.l10n.t('No test has failed in a way that can be updated.'));
  const byFile = Map.groupBy(failed, ({ test }) => test.uri.toString());
  const read = await Promise.all([...byFile].map(([file, all]) => updateOf(file, all)));
  const updates = read.filter(({ tests }) => tests.length > 0);
  const updated = updates.flatMap(({ tests }) => tests);
  if (updated.length === 0) throw testsChanged();
  if (asks) await confirmUpdate(updated);
  for (const update of updates) await writeUpdate(update);
  return updated.length;
}

/** Of several rows of a test, the first one that failed counts: they share what is expected. */
async function updateOf(file: string, failed: readonly FailedTest[]): Promise<FileUpdate> {
  const uri = vscode.Uri.parse(file, true);
  const before = (await vscode.workspace.openTextDocument(uri)).getText();
  const tests = new Map<number, FailedTest>();
  for (const each of failed)
    if (each.last.text === before && !tests.has(each.test.test.index)) tests.set(each.test.test.index, each);
  const after = [...tests].reduce(
    (text, [index, { last }]) => updateExpected(text, index, last.result.differences ?? []),
    before,
  );
  return { uri, before, after, tests: [...tests.values()] };
}

function confirmUpdate(updated: readonly FailedTest[]): Promise<void> {
  const [first] = updated;
  const differences = updated
    .slice(0, maximumNamed)
    .map(({ test, last }) => `${plainLine(test.title, 80)}: ${hideKeys(last.result.message ?? '')}`);
  return confirm(
    updated.length === 1 && first !== undefined
      ? vscode.l10n.t('Update what the test "{0}" expects?', plainLine(first.test.title, 80))
      : vscode.l10n.t('Update what {0} tests expect?', formats.number(updated.length)),
    vscode.l10n.t('Update Expected'),
    joined([...differences, updated.length > maximumNamed ? '…' : undefined], '\n'),
  );
}

/**
 * A file without unsaved changes is saved; the editor can undo it. Rejects with a PlainError if the file isn't as it was before, since others may
 * have written it while the user was asked.
 */
export async function writeUpdate({ uri, before, after }: FileUpdate): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() !== before) throw testsChanged();
  const { isDirty } = document;
  const edit = new vscode.WorkspaceEdit();
  const { content, ...part } = editBetween(before, after);
  edit.replace(uri, rangeOf(document, part), content);
  const isChanged = await vscode.workspace.applyEdit(edit);
  if (!isChanged || (!isDirty && !(await document.save()))) throw notSaved(uri);
}

function testsChanged(): PlainError {
  return new PlainError(vscode.l10n.t('The tests were changed since they ran. Run them again.'));
}
