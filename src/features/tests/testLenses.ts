// Run and Debug above each test of a file.
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { offerCommand } from '../../editor/commands.ts';
import { lensesAt } from '../../editor/documents/documents.ts';
import type { App } from '../../ui/app.ts';
import { isTestFile } from '../../ui/testFiles.ts';

export function registerTestLenses({
  testFiles,
  testLenses,
}: Pick<App, 'testFiles' | 'testLenses'>): Disposable {
  const owned = new DisposableStore();
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(testFiles.onDidChange(() => changes.fire()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changes.fire()));
  owned.add(
    testLenses.attach({
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) => {
        const { uri } = document;
        if (!isTestFile(uri) || !vscode.workspace.isTrusted) return [];
        return testFiles.readDocument(document).file.tests.flatMap(({ name, label }) => {
          const argument = { uri: uri.toString(), name };
          return lensesAt(document, label.offset, [
            offerCommand('test.run', argument, { title: vscode.l10n.t('$(play) Run') }),
            offerCommand('test.debug', argument, { title: vscode.l10n.t('$(debug-alt) Debug') }),
          ]);
        });
      },
    }),
  );
  return owned;
}
