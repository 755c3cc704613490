// Lets tests that have failed expect what came, after a person has seen the difference.
import * as vscode from 'vscode';
import { findDocument } from '../../editor/documents/documents.ts';
import { PlainError } from '../../editor/plainError.ts';
import { updateExpected } from '../../workflowTests/editTests.ts';
import type { TestName } from '../../ui/testNames.ts';
import type { ShownTest, TestItems } from './testItems.ts';
import type { TestRuns } from './testRuns.ts';

/** Returns how many tests were changed. `asks`: the editor shows each change, and changes what a person keeps checked. */
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
    .filter((test) => runs.last(test.item.id)?.result.outcome === 'failed');
  if (failed.length === 0)
    throw new PlainError(vscode.l10n.t('No test has failed in a way that can be updated.'));
  const edit = new vscode.WorkspaceEdit();
  let updated = 0;
  for (const tests of Map.groupBy(failed, (test) => test.uri.toString()).values())
    updated += await addEdit(edit, runs, tests, asks);
  if (updated === 0)
    throw new PlainError(vscode.l10n.t('The tests were changed since they ran. Run them again.'));
  if (!(await vscode.workspace.applyEdit(edit))) return 0;
  return updated;
}

/** Of several rows of a test, the first one that failed counts: they share what is expected. */
async function addEdit(
  edit: vscode.WorkspaceEdit,
  runs: TestRuns,
  tests: readonly ShownTest[],
  asks: boolean,
): Promise<number> {
  const [first] = tests;
  if (first === undefined) return 0;
  const { uri } = first;
  const document = findDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
  const before = document.getText();
  let text = before;
  const done = new Set<number>();
  for (const { item, test } of tests) {
    const last = runs.last(item.id);
    if (last?.text !== before || done.has(test.index)) continue;
    done.add(test.index);
    text = updateExpected(text, test.index, last.result.differences ?? []);
  }
  if (done.size === 0) return 0;
  const { start, end, content } = changedPart(before, text);
  edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content, {
    needsConfirmation: asks,
    label: vscode.l10n.t('Update Expected'),
  });
  return done.size;
}

/** The part between what both texts begin and end with. */
function changedPart(before: string, after: string) {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shortest - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { start, end: before.length - same, content: after.slice(start, after.length - same) };
}
